import type { Disposer } from '@wrongstack/contracts';

/** Runs something later, once; the disposer calls it off. Injected, so that tests own the time. */
export type Scheduler = (delayMs: number, run: () => void) => Disposer;

export const systemScheduler: Scheduler = (delayMs, run) => {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
};
