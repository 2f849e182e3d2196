import type { Decision, RegisteredTool, TaskRecord } from '@wrongstack/contracts';
import type { Ending, Stop } from './call-scope.js';
import { textResult } from './call-scope.js';
import { startedText } from './queue-task.js';

export const INTERRUPTED: Stop = { stop: 'aborted', message: 'Interrupted before it began; nothing ran.' };

/** The call goes on as a task. */
export function queued(task: TaskRecord, tool: RegisteredTool, decision: Decision): Ending {
  const result = { ...textResult(startedText(task), false), meta: { task: task.id, state: task.state } };
  return { kind: 'ended', status: 'ok', result, tool, decision, redact: [], durationMs: 0, ran: false, task };
}

/** A stage stopped the call. */
export function ended(
  { stop, message, code }: Stop,
  tool: RegisteredTool | null = null,
  decision: Decision | null = null,
): Ending {
  const result = textResult(message, true);
  return {
    kind: 'ended',
    status: stop,
    result,
    tool,
    decision,
    redact: [],
    durationMs: 0,
    ran: false,
    ...(code === undefined ? {} : { code }),
  };
}
