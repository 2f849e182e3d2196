import { WrongStackError } from '@wrongstack/contracts';

/**
 * Run `work` within `timeoutMs` of its own time: what it waits for through `outside` does not count, since that is the time
 * of somebody else. Rejects at the deadline (`hook.timeout`) and with the signal, even where the work goes on.
 */
export function withinOwnTime<T>(
  what: string,
  timeoutMs: number,
  signal: AbortSignal,
  work: (outside: <R>(run: () => Promise<R>) => Promise<R>) => Promise<T> | T,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let settled = false;
    const start = (): void => {
      timer = setTimeout(() => {
        const fault = `${what} did not answer within ${String(timeoutMs)} ms`;
        finish(() => reject(new WrongStackError('hook.timeout', fault)));
      }, timeoutMs);
    };
    const stop = (): void => finish(() => reject(signal.reason as Error));
    const finish = (settle: () => void): void => {
      settled = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      settle();
    };
    const outside = <R>(run: () => Promise<R>): Promise<R> => {
      clearTimeout(timer);
      const result = Promise.resolve()
        .then(run)
        .finally(() => {
          if (!settled) start();
        });
      // Work that forgets what it asked for must not end the process when that fails.
      result.catch(() => undefined);
      return result;
    };
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    start();
    Promise.resolve()
      .then(() => work(outside))
      .then(
        (value) => finish(() => resolve(value)),
        // What was thrown goes on as it is: who gets it tells one fault from another.
        (thrown: unknown) => {
          const reason = thrown as Error;
          finish(() => reject(reason));
        },
      );
  });
}
