import { Distribution, type Series } from './series.js';
import type { MetricDefinition } from './metric-definition.js';

/** What one counter grew by. */
export interface CounterGrowth {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What one histogram grew by. */
export interface HistogramGrowth {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Of each bound of its definition, not added up; what is above the last one is in `count` alone. */
  readonly counts: readonly number[];
  readonly sum: number;
  readonly count: number;
}

export interface Growth {
  readonly counters: readonly CounterGrowth[];
  readonly histograms: readonly HistogramGrowth[];
}

interface Mark {
  readonly counts: readonly number[];
  readonly sum: number;
  readonly count: number;
}

/**
 * What counters and histograms grew by since the last look. There is one for a sink, whoever looks: what one was given, nobody is given
 * again, so that several reporters of one process count nothing twice.
 */
export class SeriesGrowth {
  readonly #values = new Map<Series, number>();
  readonly #marks = new Map<Series, Mark>();

  constructor(
    private readonly series: () => Iterable<{ readonly definition: MetricDefinition; readonly line: Series }>,
  ) {}

  /** Only of those metrics that `of` wants; the others grow on. */
  take(of: (definition: MetricDefinition) => boolean): Growth {
    const counters: CounterGrowth[] = [];
    const histograms: HistogramGrowth[] = [];
    for (const { definition, line } of this.series()) {
      if (definition.kind === 'gauge' || !of(definition)) continue;
      const { name } = definition;
      const labels = Object.fromEntries(definition.labels.map((label, at) => [label, line.values[at] ?? '']));
      if (line instanceof Distribution) {
        const grown = this.#distribution(line);
        if (grown.count > 0) histograms.push({ name, labels, ...grown });
      } else {
        const value = line.value - (this.#values.get(line) ?? 0);
        this.#values.set(line, line.value);
        if (value > 0) counters.push({ name, labels, value });
      }
    }
    return { counters, histograms };
  }

  #distribution(line: Distribution): Mark {
    const now: Mark = { counts: [...line.counts], sum: line.sum, count: line.count };
    const before = this.#marks.get(line);
    this.#marks.set(line, now);
    if (before === undefined) return now;
    return {
      counts: now.counts.map((count, at) => count - (before.counts[at] ?? 0)),
      sum: now.sum - before.sum,
      count: now.count - before.count,
    };
  }
}
