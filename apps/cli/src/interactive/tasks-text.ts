import { isFinalState, type TaskRecord, WrongStackError } from '@wrongstack/contracts';
import { findTask } from '../app/own-tasks.js';
import { formatAge, formatBytes } from '../terminal/format.js';
import type { InteractiveSession } from './interactive-session.js';

/** `/tasks` lists them, `/tasks kill t-4k` stops one. */
export async function tasksText(session: InteractiveSession, args: readonly string[]): Promise<string> {
  const { host, open } = session;
  const [verb, id = ''] = args;
  if (verb === 'kill') {
    const task = await findTask(host, id);
    if (isFinalState(task.state)) return `task ${task.id} had ended already: ${task.state}`;
    const after = (await host.tasks.kill(task.id, 'killed in the session')) ?? task;
    return `task ${task.id} is ${after.state}`;
  }
  if (verb !== undefined) throw new WrongStackError('usage.invalid', '/tasks takes nothing, or kill <id>');
  const tasks = await host.tasks.list({ session: open.log.id });
  if (tasks.length === 0) return 'no tasks in this session';
  return tasks.map((task) => rowOf(task, host.clock.now())).join('\n');
}

function rowOf(
  { id, state, tool, title, createdAt, startedAt, endedAt, outputBytes, exit }: TaskRecord,
  now: number,
): string {
  const until = endedAt === null ? now : Date.parse(endedAt);
  const age = formatAge(until - Date.parse(startedAt ?? createdAt));
  const how = exit?.reason == null ? state : `${state} (${exit.reason})`;
  return `${id}  ${how}  ${age}  ${formatBytes(outputBytes)}  ${tool}: ${title}`;
}
