import { setTimeout as sleep } from 'node:timers/promises';
import type { ReplayStore } from '@wrongstack/contracts/control';
import { STILL_THERE, type StreamEvent } from '../http/event-stream.js';
import { isFinished, replayView } from './replay-view.js';

const LOOK_EVERY_MS = 500;
const QUIET_LOOKS = 30;

/**
 * The progress of a replay, wherever it runs, until it has ended. An event's id is the job's tag: who comes back with one that is
 * still the newest is told nothing twice, except the end.
 */
export async function* replayEvents(
  replays: Pick<ReplayStore, 'get'>,
  id: string,
  lastTag: number,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent | typeof STILL_THERE> {
  let told = lastTag;
  for (let looks = 0; !signal.aborted; looks += 1) {
    const job = await replays.get(id);
    if (job === null) return;
    if (isFinished(job)) {
      yield { name: 'end', id: job.etag, data: replayView(job) };
      return;
    }
    if (job.etag > told) {
      told = job.etag;
      yield { name: 'progress', id: job.etag, data: replayView(job) };
    } else if (looks % QUIET_LOOKS === QUIET_LOOKS - 1) yield STILL_THERE;
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
