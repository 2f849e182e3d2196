import { type MetricLabels, MetricsSink } from '@wrongstack/contracts';

export interface MetricSample {
  readonly kind: 'counter' | 'histogram' | 'gauge';
  readonly name: string;
  readonly labels: MetricLabels;
  /** Counter: the sum. Gauge: the last value. Histogram: the sum of what was observed. */
  readonly value: number;
  /** How often it was recorded. */
  readonly count: number;
}

/** Distinct series kept per metric; what is beyond goes to one series labelled `other`. */
const MAX_SERIES = 200;
/** Distinct metrics kept, many times what the product defines; names are made up by plugins. What is beyond goes to one a kind, named `other`. */
const MAX_METRICS = 1_000;
const OTHER = 'other';

/** Keeps totals in memory: what a CLI session shows, and what tests look at. */
export class InMemoryMetricsSink extends MetricsSink {
  readonly #series = new Map<string, Map<string, { -readonly [K in keyof MetricSample]: MetricSample[K] }>>();

  counter(name: string, value = 1, labels: MetricLabels = {}): void {
    if (value < 0) return;
    this.#record('counter', name, value, labels);
  }

  histogram(name: string, value: number, labels: MetricLabels = {}): void {
    this.#record('histogram', name, value, labels);
  }

  gauge(name: string, value: number, labels: MetricLabels = {}): void {
    this.#record('gauge', name, value, labels);
  }

  samples(): readonly MetricSample[] {
    return [...this.#series.values()].flatMap((byLabels) =>
      [...byLabels.values()].map((sample) => ({ ...sample })),
    );
  }

  #record(kind: MetricSample['kind'], given: string, value: number, givenLabels: MetricLabels): void {
    // One NaN would poison a sum for good.
    if (!Number.isFinite(value)) return;
    const isRoom = this.#series.size < MAX_METRICS || this.#series.has(`${kind} ${given}`);
    const [name, labels] = isRoom ? [given, givenLabels] : [OTHER, {}];
    const id = `${kind} ${name}`;
    const byLabels = this.#series.get(id) ?? new Map<string, never>();
    this.#series.set(id, byLabels);
    const wanted = JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
    const full = byLabels.size >= MAX_SERIES && !byLabels.has(wanted);
    const key = full ? OTHER : wanted;
    const sample = byLabels.get(key);
    if (sample === undefined) {
      byLabels.set(key, { kind, name, labels: full ? { series: OTHER } : { ...labels }, value, count: 1 });
      return;
    }
    sample.value = kind === 'gauge' ? value : sample.value + value;
    sample.count += 1;
  }
}
