import {
  type MetricsReport,
  MOST_REPORTED_COUNTERS,
  MOST_REPORTED_HISTOGRAMS,
} from '@wrongstack/contracts/wire';
import type { CounterGrowth, Growth, HistogramGrowth } from '../metrics/series-growth.js';

/** A report that still grows: one line a series, however often it grew. */
export class OpenReport {
  /** Sorts by time. */
  readonly name: string;
  readonly #counters = new Map<string, CounterGrowth>();
  readonly #histograms = new Map<string, HistogramGrowth>();
  #unwritten = false;

  constructor(
    readonly key: string,
    private readonly day: string,
    since: number,
  ) {
    this.name = `${String(since).padStart(15, '0')}-${key}`;
  }

  /** A growth in pieces that each fit an empty report. */
  static parts({ counters, histograms }: Growth): readonly Growth[] {
    const parts: Growth[] = [];
    for (
      let at = 0;
      at * MOST_REPORTED_COUNTERS < counters.length || at * MOST_REPORTED_HISTOGRAMS < histograms.length;
      at += 1
    ) {
      const cut = <Item>(items: readonly Item[], most: number) => items.slice(at * most, (at + 1) * most);
      parts.push({
        counters: cut(counters, MOST_REPORTED_COUNTERS),
        histograms: cut(histograms, MOST_REPORTED_HISTOGRAMS),
      });
    }
    return parts;
  }

  /** False where it is of another day, or the server would find it too long. */
  fits(day: string, { counters, histograms }: Growth): boolean {
    const more = (known: ReadonlyMap<string, unknown>, items: Growth['counters' | 'histograms']): number =>
      known.size + items.filter((item) => !known.has(idOf(item))).length;
    return (
      day === this.day &&
      more(this.#counters, counters) <= MOST_REPORTED_COUNTERS &&
      more(this.#histograms, histograms) <= MOST_REPORTED_HISTOGRAMS
    );
  }

  add({ counters, histograms }: Growth): void {
    for (const one of counters) {
      const id = idOf(one);
      this.#counters.set(id, { ...one, value: one.value + (this.#counters.get(id)?.value ?? 0) });
    }
    for (const one of histograms) {
      const id = idOf(one);
      const known = this.#histograms.get(id);
      this.#histograms.set(id, known === undefined ? one : added(known, one));
    }
    this.#unwritten ||= counters.length > 0 || histograms.length > 0;
  }

  get hasUnwritten(): boolean {
    return this.#unwritten;
  }

  wasWritten(): void {
    this.#unwritten = false;
  }

  report(): MetricsReport {
    return {
      day: this.day,
      counters: [...this.#counters.values()],
      histograms: [...this.#histograms.values()],
    };
  }
}

function idOf({ name, labels }: { readonly name: string; readonly labels: object }): string {
  return JSON.stringify([name, labels]);
}

function added(one: HistogramGrowth, other: HistogramGrowth): HistogramGrowth {
  return {
    ...one,
    counts: one.counts.map((count, at) => count + (other.counts[at] ?? 0)),
    sum: one.sum + other.sum,
    count: one.count + other.count,
  };
}
