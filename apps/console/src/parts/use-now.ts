import { useSyncExternalStore } from 'react';
import { Signal } from '../client/signal.js';

const STEP_MS = 10_000;
const now = new Signal(Date.now());
let watchers = 0;
let timer: ReturnType<typeof setInterval> | null = null;

function subscribe(listener: () => void): () => void {
  const stop = now.subscribe(listener);
  watchers += 1;
  if (timer === null) {
    // Nobody looked for a while: the time stood still.
    now.set(Date.now());
    timer = setInterval(() => now.set(Date.now()), STEP_MS);
  }
  return () => {
    stop();
    watchers -= 1;
    if (watchers > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

/** The time, every ten seconds. One timer for all that show how old something is. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, now.read);
}
