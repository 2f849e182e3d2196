import { isFinalState, WrongStackError } from '@wrongstack/contracts';
import { findTask } from '../app/own-tasks.js';
import { rowOf } from '../actions/task-list.js';
import { lineText } from '../terminal/lines.js';
import { taskTable } from '../terminal/list-lines.js';
import type { Look } from '../terminal/theme.js';
import type { InteractiveSession } from './interactive-session.js';

/** `/tasks` lists them, `/tasks kill t-4k` stops one. */
export async function tasksText(
  session: InteractiveSession,
  args: readonly string[],
  look: Look,
): Promise<string> {
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
  const now = host.clock.now();
  const rows = tasks.map((task) => rowOf(task, now));
  return taskTable(rows, look).map(lineText).join('\n');
}
