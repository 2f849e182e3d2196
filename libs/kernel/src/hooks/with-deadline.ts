import { WrongStackError } from '@wrongstack/contracts';

/**
 * Run `work` with a signal that aborts after `timeoutMs` or with the caller's. Rejects at the deadline even where the
 * work ignores its signal (`hook.timeout`).
 */
export async function withDeadline<T>(
  what: string,
  timeoutMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T> | T,
): Promise<T> {
  const controller = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const stop = (reason: unknown): void => {
      controller.abort(reason);
      finish(() => reject(asError(reason)));
    };
    const onAbort = (): void => stop(signal.reason);
    const timer = setTimeout(() => {
      stop(new WrongStackError('hook.timeout', `${what} did not answer within ${String(timeoutMs)} ms`));
    }, timeoutMs);
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    // Inside a promise, so that a synchronous throw is a rejection like any other.
    Promise.resolve()
      .then(() => work(controller.signal))
      .then(
        (value) => finish(() => resolve(value)),
        (error: unknown) => finish(() => reject(asError(error))),
      );
  });
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}
