import type { MetricsReport } from '@wrongstack/contracts/wire';

/** A report on disk, under the key that lets it count once. */
export interface WrittenReport extends MetricsReport {
  readonly key: string;
}

/** A file is gone a moment after its report was taken; so many are remembered meanwhile. */
const MOST_TAKEN = 1_000;

/** Which reports the server took, so that what it says and what lies here can be added up with each of them once. */
export class Arrivals {
  /** Not in any answer yet. */
  readonly #unheard = new Map<string, MetricsReport>();
  readonly #taken = new Set<string>();

  add(key: string, report: MetricsReport): void {
    this.#unheard.set(key, report);
    this.#taken.add(key);
    for (const oldest of this.#taken) {
      if (this.#taken.size <= MOST_TAKEN) break;
      this.#taken.delete(oldest);
    }
  }

  wereHeard(): void {
    this.#unheard.clear();
  }

  unheard(written: readonly WrittenReport[]): readonly MetricsReport[] {
    return [...written.filter(({ key }) => !this.#taken.has(key)), ...this.#unheard.values()];
  }
}
