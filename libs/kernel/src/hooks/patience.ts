import { codeOf } from '@wrongstack/contracts';

const MOST_MISSES = 3;

/**
 * What did not answer three times in a row is not asked again, so that a hook that never settles costs three deadlines and
 * not one for each turn. Registering it anew gives it another chance.
 */
export class Patience {
  readonly #misses = new WeakMap<object, Map<string, number>>();

  isOver(who: object, what: string): boolean {
    return (this.#misses.get(who)?.get(what) ?? 0) >= MOST_MISSES;
  }

  answered(who: object, what: string): void {
    this.#misses.get(who)?.delete(what);
  }

  /** Returns what to say of a failure: that it was the last, where it was. */
  failed(who: object, what: string, error: unknown): '' | '; it is not asked again' {
    if (codeOf(error) !== 'hook.timeout') {
      this.answered(who, what);
      return '';
    }
    const misses = this.#misses.get(who) ?? new Map<string, number>();
    this.#misses.set(who, misses.set(what, (misses.get(what) ?? 0) + 1));
    return this.isOver(who, what) ? '; it is not asked again' : '';
  }
}
