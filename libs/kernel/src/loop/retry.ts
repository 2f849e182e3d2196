import { codeOf, messageOf, ProviderError } from '@wrongstack/contracts';

export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export interface RetryOptions {
  /** Retries after the first attempt. */
  readonly maxRetries: number;
  readonly signal: AbortSignal;
  readonly sleep: Sleep;
  /** 0 ≤ n < 1. */
  readonly random: () => number;
  /** Told before each wait. `attempt` is the one that follows, of `of` in all. */
  readonly onRetry: (retry: {
    readonly attempt: number;
    readonly of: number;
    readonly waitMs: number;
    readonly status: number | null;
    readonly reason: string;
  }) => void;
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_BACKOFF_MS = 30_000;
/** A server may ask for more; a person would rather hear that it is busy. */
const LONGEST_WAIT_MS = 120_000;

/**
 * Try again what the provider's edge called retryable (429, 5xx, network, cut-off streams), waiting longer each time and
 * at least as long as the server asks. Everything else, a refused key above all, fails at once.
 */
export async function withRetries<T>(
  attempt: (number: number) => Promise<T>,
  options: RetryOptions,
): Promise<T> {
  const of = options.maxRetries + 1;
  for (let number = 1; ; number += 1) {
    try {
      return await attempt(number);
    } catch (error) {
      if (options.signal.aborted || !(error instanceof ProviderError) || !error.retryable) throw error;
      if (number >= of) throw exhausted(error, number);
      const waitMs = waitBefore(number, error, options.random);
      options.onRetry({
        attempt: number + 1,
        of,
        waitMs,
        status: error.status ?? null,
        reason: messageOf(error),
      });
      await options.sleep(waitMs, options.signal);
    }
  }
}

function waitBefore(failed: number, error: ProviderError, random: () => number): number {
  const backoff = Math.min(FIRST_WAIT_MS * 2 ** (failed - 1), LONGEST_BACKOFF_MS);
  // Half of it random, so that clients that failed together do not come back together.
  const jittered = Math.round(backoff / 2 + (backoff / 2) * random());
  return Math.min(Math.max(jittered, error.retryAfterMs ?? 0), LONGEST_WAIT_MS);
}

function exhausted(error: ProviderError, attempts: number): ProviderError {
  if (attempts === 1) return error;
  // The edge made the code; only the message grows.
  return new ProviderError(
    codeOf(error) as ConstructorParameters<typeof ProviderError>[0],
    `${messageOf(error)} (gave up after ${attempts} tries)`,
    {
      retryable: false,
      cause: error,
      ...(error.status === undefined ? {} : { status: error.status }),
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    },
  );
}

/** A wait that an abort ends at once. */
export const realSleep: Sleep = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', onAbort, { once: true });
  });
