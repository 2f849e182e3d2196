import { isFinalState, isoNow, messageOf } from '@wrongstack/contracts';
import type { SessionEntry, TaskRecord } from '@wrongstack/contracts';
import { taskOwner } from '../execution/queue-task.js';
import type { CallScope } from '../execution/call-scope.js';
import type { Conversation } from '../session/conversation.js';
import type { AgentPorts } from './agent-options.js';

export interface TaskNoticeParts {
  readonly ports: Pick<AgentPorts, 'tasks' | 'clock' | 'log' | 'scrubber'>;
  readonly conversation: Conversation;
  readonly scope: CallScope;
  readonly append: (entry: SessionEntry) => Promise<void>;
}

/**
 * Tell the model of tasks that have ended, in its next request. What was told is read from the session's own log, so that a
 * notice comes exactly once, whether the session or the task's process was started anew in between. A subagent's tasks are
 * its parent's, which outlives it.
 */
export async function announceTasks({ ports, conversation, scope, append }: TaskNoticeParts): Promise<void> {
  if (ports.tasks === null || scope.taskOwner !== undefined) return;
  let tasks: readonly TaskRecord[];
  try {
    tasks = await ports.tasks.list(taskOwner(scope));
  } catch (error) {
    // The next request asks again, and the model can ask itself.
    ports.log.warn('tasks could not be listed', { message: messageOf(error) });
    return;
  }
  for (const task of [...tasks].reverse()) {
    if (!isFinalState(task.state) || conversation.announcedTasks.has(task.id)) continue;
    const text = ports.scrubber.scrub(noticeOf(task));
    const source = { kind: 'task', task: task.id, state: task.state, now: true };
    await append({ type: 'inject', ts: isoNow(ports.clock), content: [{ type: 'text', text }], source });
  }
}

function noticeOf({ id, tool, title, state, exit, outputBytes }: TaskRecord): string {
  const why = exit?.reason == null ? '' : `: ${exit.reason}`;
  return `Task ${id} (${tool}: ${title}) is ${state}${why}. It wrote ${outputBytes} bytes; read them with task_output.`;
}
