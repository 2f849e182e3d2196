export type MetricKind = 'counter' | 'gauge' | 'histogram';

/** What one metric is. Its labels are all that a sample must have, no more and no less. */
export interface MetricDefinition {
  /** Legal in Prometheus, base units; counters end in `_total`. */
  readonly name: string;
  readonly kind: MetricKind;
  /** One line for whoever reads a dashboard. */
  readonly help: string;
  readonly labels: readonly string[];
  /** Labels whose values are one word, such as a tool's name or a state: what is none is `other`, so that no text of anybody gets in. */
  readonly words?: readonly string[];
  /**
   * Of a counter with labels: what is on the page from the start, at 0. A series that appears with 1 has grown by nothing to Prometheus,
   * so that an alert would miss the first of what must never happen. Counters without labels are always there.
   */
  readonly fromStart?: readonly Readonly<Record<string, string>>[];
  /** Upper bounds of a histogram's buckets, rising; `+Inf` is added. */
  readonly buckets?: readonly number[];
}

/** Seconds: from a decision's microseconds to a long command. */
export const SECONDS: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800,
];
/** Seconds of something that is computed in memory. */
export const SHORT_SECONDS: readonly number[] = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1,
];
/** Seconds of something that may wait for days. */
export const LONG_SECONDS: readonly number[] = [1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400, 604_800];
