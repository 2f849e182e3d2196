import { messageOf } from '@wrongstack/contracts';
import type { Approval, RegisteredTool, TaskRecord, TaskWork, ToolCall } from '@wrongstack/contracts';
import { recordTask } from '../tasks/record-task.js';
import { taskExit } from '../tasks/task-exit.js';
import type { CallScope, ExecutionPorts } from './call-scope.js';
import { CallScrubber } from './call-scrubber.js';
import { DetachableCall } from './detachable-call.js';
import { inspectResult } from './inspect-result.js';
import { taskOf } from './queue-task.js';
import { recheckPermission } from './recheck-permission.js';
import { type Granted, runTool, type RanTool } from './run-tool.js';
import type { FileSnapshots } from './snapshot-files.js';
import { toModelResult } from './to-model-result.js';

export type RanOrTask = (RanTool & { readonly task: null }) | { readonly task: TaskRecord };

export interface DetachOptions {
  readonly approval: Approval | null;
  /** Called with how to ask for the background, while that is possible; returns how to stop. */
  readonly offer: (ask: () => void) => () => void;
}

export function mayDetach(tool: RegisteredTool, { tasks }: Pick<ExecutionPorts, 'tasks'>): boolean {
  return tasks !== null && tool.background === 'optional';
}

/** Run a tool in such a way that a person can send it to the background while it runs. */
export async function runDetachable(
  ports: ExecutionPorts,
  call: ToolCall,
  granted: Granted & { readonly snapshots: FileSnapshots },
  scope: CallScope,
  signal: AbortSignal,
  { approval, offer }: DetachOptions,
): Promise<RanOrTask> {
  if (!mayDetach(call.tool, ports))
    return { ...(await runTool(ports, call, granted, scope, signal)), task: null };
  const scrubber = new CallScrubber(ports.scrubber, granted.duties.redact);
  const detachable = new DetachableCall(signal, scrubber);
  const running = runTool(ports, call, granted, scope, detachable.signal, detachable);
  const withdraw = offer(() => detachable.ask());
  try {
    const first = await Promise.race([running, detachable.asked.then(() => null)]);
    if (first === null) {
      const task = await handOver(ports, call, granted, approval, scope, detachable, running, scrubber);
      if (task !== null) return { task };
    }
    return { ...(await running), task: null };
  } finally {
    withdraw();
  }
}

/** Null = it stays where it is, and the person is told why. */
async function handOver(
  ports: ExecutionPorts,
  call: ToolCall,
  granted: Granted,
  approval: Approval | null,
  scope: CallScope,
  detachable: DetachableCall,
  running: Promise<RanTool>,
  scrubber: CallScrubber,
): Promise<TaskRecord | null> {
  const { decision } = granted;
  // What may run while somebody looks on may still be forbidden in the background.
  const voided = await recheckPermission(ports, { ...call, background: true }, decision, approval, scope);
  if (voided !== null) return refused(ports, voided.message);
  const adopted: TaskWork = async (job, sink, signal) => {
    detachable.adopt(sink, signal);
    const { ran, durationMs } = await running;
    const shaped = await inspectResult(ports.hooks, call, toModelResult(ran));
    const { tool } = call;
    const { scratchDir } = job;
    const exit = await taskExit(shaped, { tool, call: call.id, scratchDir, scrubber, limits: ports.limits });
    await recordTask(ports, job, exit, durationMs);
    return exit;
  };
  const task = taskOf(ports, { ...call, background: true }, { decision, approval, options: {} }, scope);
  try {
    const record = await ports.tasks?.add({ ...task, adopted });
    if (record === undefined) return null;
    detachable.release();
    return record;
  } catch (error) {
    return refused(ports, messageOf(error));
  }
}

function refused(ports: Pick<ExecutionPorts, 'events'>, why: string): null {
  const message = `the call stays in the foreground: ${why}`;
  ports.events.emit('error', { code: 'task.not_taken', message, hint: null, fatal: false });
  return null;
}
