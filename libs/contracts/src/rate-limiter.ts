/** Counts calls for rate limits of policies: one window a key, local or shared by several processes. */
export abstract class RateLimiter {
  /** Take one of `max` per `perSeconds` seconds. `now`: milliseconds since the epoch. Rejects when the counter cannot be reached. */
  abstract take(
    key: string,
    max: number,
    perSeconds: number,
    now: number,
  ): Promise<{ readonly ok: boolean; readonly retryAfterMs: number }>;
}
