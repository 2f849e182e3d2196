export interface RateLimitAnswer {
  readonly ok: boolean;
  /** Milliseconds until the next one would be let through; 0 when `ok`. */
  readonly retryAfterMs: number;
}

/** Counts for rate-limit obligations. One local adapter; a shared one for fleets. An answer that cannot be had rejects. */
export abstract class RateLimiter {
  /** Take one of `max` within any `perSeconds` for `key`. A refused one is not counted. `now` in milliseconds. */
  abstract take(key: string, max: number, perSeconds: number, now: number): Promise<RateLimitAnswer>;
}
