import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, type JsonValue, type RunId } from '@wrongstack/contracts';
import type { RunStore, ServerRunEvent } from '@wrongstack/contracts/control';
import { STILL_THERE, type StreamEvent } from '../http/event-stream.js';
import { hasEnded } from './run-record.js';

const LOOK_EVERY_MS = 400;
const QUIET_LOOKS = 30;
const STEP = 200;

/**
 * The events of a run, wherever it is executed, until its end. The id of each is its number: who comes back with one is told what came
 * after it, and the end in any case. While the store is away nothing comes, and then all of it.
 */
export async function* followRun(
  runs: Pick<RunStore, 'get' | 'events' | 'lastEvent'>,
  id: RunId,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent | typeof STILL_THERE> {
  let told = after;
  for (let looks = 0; !signal.aborted; looks += 1) {
    const news = await newsOf(runs, id, told);
    for (const event of news.events) {
      told = event.seq;
      yield streamed(event);
      if (event.type === 'end') return;
    }
    if (news.over) return;
    if (news.events.length === STEP) continue;
    if (looks % QUIET_LOOKS === QUIET_LOOKS - 1) yield STILL_THERE;
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function newsOf(
  runs: Pick<RunStore, 'get' | 'events' | 'lastEvent'>,
  id: RunId,
  told: number,
): Promise<{ readonly events: readonly ServerRunEvent[]; readonly over: boolean }> {
  try {
    const events = await runs.events(id, told, STEP);
    if (events.length > 0) return { events, over: false };
    const run = await runs.get(id);
    if (run === null) return { events: [], over: true };
    if (!hasEnded(run)) return { events: [], over: false };
    const last = (await runs.lastEvent(id)) ?? 0;
    // It may have ended between the two looks: then its events are there now.
    return last > told
      ? { events: await runs.events(id, told, STEP), over: false }
      : { events: await runs.events(id, last - 1, 1), over: true };
  } catch (error) {
    if (codeOf(error).startsWith('store.')) return { events: [], over: false };
    throw error;
  }
}

function streamed({ seq, type, at, data }: ServerRunEvent): StreamEvent {
  // What is written as an event's data is an object.
  return { name: type, id: seq, data: { at, ...(data as Readonly<Record<string, JsonValue>>) } };
}
