import type { OwnTasks } from '@wrongstack/contracts';
import { STILL_THERE, type StreamEvent } from '../http/event-stream.js';

const STEP_BYTES = 64 * 1024;
const WAIT_MS = 15_000;

/** A task's output as events: each carries the cursor after it as its id, so that a client that reconnects loses nothing. */
export async function* outputEvents(
  own: OwnTasks,
  id: string,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent | typeof STILL_THERE> {
  for (let cursor = from; !signal.aborted;) {
    const reading = await own.output(id, { cursor, maxBytes: STEP_BYTES, waitMs: WAIT_MS }, signal);
    if (reading === null) return;
    const { output, task } = reading;
    cursor = output.next;
    if (output.text !== '' || output.lost > 0) {
      yield { name: 'output', id: cursor, data: { text: output.text, lost: output.lost } };
    } else if (!output.done) yield STILL_THERE;
    if (output.done) {
      yield { name: 'end', id: cursor, data: { state: task.state, exit: task.exit } };
      return;
    }
  }
}
