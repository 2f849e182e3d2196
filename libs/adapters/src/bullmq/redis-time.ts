/** Slower answers say too little about when they were given. */
const SLOWEST_MS = 1_000;

/**
 * What Redis's clock shows now, as far as this process knows it, in milliseconds since the epoch: never more than it really
 * shows, so that a deadline made of it ends no later than meant. It is told again every few seconds, since a clock may be set.
 */
export class RedisTime {
  #offset: number | null = null;

  now(): number {
    // Told nothing yet: a deadline in the past refuses, which is the safe side.
    return this.#offset === null ? 0 : Math.floor(performance.now() + this.#offset);
  }

  /** `sent`: when it was asked, by `performance.now()`. */
  learn(sent: number, redisNow: number): void {
    const received = performance.now();
    if (received - sent <= SLOWEST_MS || this.#offset === null) this.#offset = redisNow - received;
  }
}
