import { RateLimiter } from '@wrongstack/contracts';
import { checkLimit } from './check-limit.js';

/** Above this many keys, those whose windows have passed are forgotten. */
const SWEEP_AT = 1_000;

interface Window {
  /** Times of those that were let through, oldest first. */
  taken: number[];
  lengthMs: number;
}

/** Sliding windows in the memory of this process. */
export class LocalRateLimiter extends RateLimiter {
  private readonly windows = new Map<string, Window>();

  override async take(
    key: string,
    max: number,
    perSeconds: number,
    now: number,
  ): Promise<{ readonly ok: boolean; readonly retryAfterMs: number }> {
    checkLimit(max, perSeconds, now);
    const lengthMs = perSeconds * 1000;
    const window = this.windows.get(key) ?? { taken: [], lengthMs };
    window.lengthMs = lengthMs;
    // A clock that was set back must not block a key until it has caught up.
    window.taken = window.taken.map((time) => Math.min(time, now)).filter((time) => time > now - lengthMs);
    if (this.windows.size >= SWEEP_AT) this.sweep(now);
    this.windows.set(key, window);
    if (window.taken.length < max) {
      window.taken.push(now);
      return { ok: true, retryAfterMs: 0 };
    }
    // The one whose end makes room; a limit of 0 never has any.
    const blocking = window.taken[window.taken.length - Math.floor(max)];
    const retryAfterMs = blocking === undefined ? lengthMs : blocking + lengthMs - now;
    return { ok: false, retryAfterMs: Math.max(1, Math.ceil(retryAfterMs)) };
  }

  private sweep(now: number): void {
    for (const [key, { taken, lengthMs }] of this.windows) {
      if ((taken.at(-1) ?? 0) <= now - lengthMs) this.windows.delete(key);
    }
  }
}
