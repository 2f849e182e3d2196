import { isFinalState, type TaskId, type TaskQueue, type TaskRecord } from '@wrongstack/contracts';

const STEP_BYTES = 64 * 1024;
const WAIT_MS = 5_000;

export interface Follow {
  readonly cursor: number;
  /** Go on until the task has ended. */
  readonly toTheEnd: boolean;
  /** Waited for: what is not taken yet stays where the task keeps it. */
  readonly write: (text: string) => Promise<void>;
  readonly lost: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/** Hand on what a task writes, in order. Null when it is no longer known. */
export async function followTask(queue: TaskQueue, id: TaskId, follow: Follow): Promise<TaskRecord | null> {
  for (let { cursor } = follow; ;) {
    const output = await queue.read(id, cursor, STEP_BYTES);
    if (output === null) return null;
    if (output.lost > 0) follow.lost(output.lost);
    if (output.text !== '') await follow.write(output.text);
    cursor = output.next;
    if (output.done || follow.signal.aborted) return queue.get(id);
    if (output.text !== '') continue;
    if (!follow.toTheEnd) return queue.get(id);
    await queue.wait(id, cursor, WAIT_MS, follow.signal);
  }
}

/** Until it has ended, for as long as the signal allows. */
export async function untilEnded(
  queue: TaskQueue,
  id: TaskId,
  signal: AbortSignal,
): Promise<TaskRecord | null> {
  for (;;) {
    const task = await queue.get(id);
    if (task === null || isFinalState(task.state) || signal.aborted) return task;
    // Beyond all output, so that only the end counts.
    await queue.wait(id, Number.MAX_SAFE_INTEGER, WAIT_MS, signal);
  }
}
