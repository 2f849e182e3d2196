import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '@wrongstack/contracts';

/** A database that is restarted, or moves to another machine. */
const PATIENCE_MS = 120_000;
const RETRY_MS = 1_000;

/** Tried again while the store is away or busy, for as long as a restart of it may take. */
export async function whileAway<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const away = codeOf(error) === 'store.unavailable' || codeOf(error) === 'store.busy';
      if (!away || signal.aborted || performance.now() > until) throw error;
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
