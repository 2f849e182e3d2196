import { type Logger, messageOf } from '@wrongstack/contracts';

export type StopTimer = () => void;

/** Does it again and again, but not while it is still at it: Redis may be away for longer than that. Keeps no process alive. */
export function every(ms: number, log: Logger, work: () => Promise<void>): StopTimer {
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    work()
      .catch((error: unknown) => log.warn('redis', { message: messageOf(error) }))
      .finally(() => (busy = false));
  }, ms);
  timer.unref();
  return () => clearInterval(timer);
}
