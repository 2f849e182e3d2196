import { WrongStackError } from '@wrongstack/contracts';

interface Caller {
  readonly signal: AbortSignal;
  /** Told when the work is given up. */
  stop(reason: unknown): void;
}

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
  const caller = { signal, stop: (reason: unknown) => controller.abort(reason) };
  return run(what, timeoutMs, () => work(controller.signal), caller);
}

/** The same for work that takes no signal. */
export function withinDeadline<T>(what: string, timeoutMs: number, work: () => Promise<T> | T): Promise<T> {
  return run(what, timeoutMs, work, null);
}

async function run<T>(
  what: string,
  timeoutMs: number,
  work: () => Promise<T> | T,
  caller: Caller | null,
): Promise<T> {
  // The caller goes on first, as with any other asynchronous work.
  await Promise.resolve();
  const isAborted = (): boolean => caller?.signal.aborted === true;
  if (isAborted()) throw asError(caller?.signal.reason);
  const begun = performance.now();
  let answer: Promise<T> | T;
  try {
    answer = work();
  } catch (error) {
    throw asError(error);
  }
  // What answers at once needs no timer.
  if (!isThenable(answer) && !isAborted()) return answer;
  const left = Math.max(0, timeoutMs - (performance.now() - begun));
  const late = (): Error =>
    new WrongStackError('hook.timeout', `${what} did not answer within ${String(timeoutMs)} ms`);
  return settled(answer, left, late, caller);
}

function settled<T>(
  answer: Promise<T> | T,
  ms: number,
  late: () => Error,
  caller: Caller | null,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      caller?.signal.removeEventListener('abort', onAbort);
      settle();
    };
    const stop = (reason: unknown): void => {
      caller?.stop(reason);
      finish(() => reject(asError(reason)));
    };
    const onAbort = (): void => stop(caller?.signal.reason);
    const timer = setTimeout(() => stop(late()), ms);
    if (caller?.signal.aborted === true) return onAbort();
    caller?.signal.addEventListener('abort', onAbort, { once: true });
    Promise.resolve(answer).then(
      (value) => finish(() => resolve(value)),
      (error: unknown) => finish(() => reject(asError(error))),
    );
  });
}

/** Whoever wrote the work may bring a promise of their own kind. */
function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}
