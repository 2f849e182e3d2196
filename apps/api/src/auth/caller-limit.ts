import type { Clock } from '@wrongstack/contracts';
import { ApiProblem } from '../errors/api-problem.js';

interface Window {
  readonly startedAt: number;
  count: number;
}

const WINDOW_MS = 60_000;
const MOST_CALLERS = 50_000;

/**
 * How many requests one caller may send a minute. Counted behind the guard, by who it is: a whole office behind one address does not
 * pay for one of its machines. Of this process; with n replicas a caller has n times as many.
 */
export class CallerLimit {
  readonly #windows = new Map<string, Window>();

  constructor(
    private readonly clock: Clock,
    private readonly perMinute: number,
  ) {}

  /** Throws a 429 problem that says when there is room again. */
  take(caller: string): void {
    const now = this.clock.now();
    const window = this.#windows.get(caller);
    if (window === undefined || now - window.startedAt >= WINDOW_MS) {
      if (this.#windows.size >= MOST_CALLERS) this.#windows.clear();
      this.#windows.set(caller, { startedAt: now, count: 1 });
      return;
    }
    window.count += 1;
    if (window.count <= this.perMinute) return;
    const seconds = Math.max(1, Math.ceil((window.startedAt + WINDOW_MS - now) / 1000));
    throw new ApiProblem(429, 'request.too_many', `too many requests: try again in ${seconds} s`, [], {
      'retry-after': String(seconds),
    });
  }
}
