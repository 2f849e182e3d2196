import { WrongStackError } from './errors.js';
import type { ProviderErrorCode } from './provider.js';

/** A model request that failed. `retryable` is decided once, here at the edge: 429, 5xx, network and cut-off streams. */
export class ProviderError extends WrongStackError {
  override readonly name = 'ProviderError';
  readonly status: number | undefined;
  readonly retryable: boolean;
  /** From `retry-after`, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ProviderErrorCode,
    message: string,
    options: { status?: number; retryable: boolean; retryAfterMs?: number; hint?: string; cause?: unknown },
  ) {
    super(code, message, options);
    this.status = options.status;
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs;
  }
}
