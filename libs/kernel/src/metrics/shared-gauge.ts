import type { MetricLabels, MetricsSink } from '@wrongstack/contracts';

const totals = new WeakMap<MetricsSink, Map<string, number>>();

/**
 * Changes a gauge by an amount. An editor's process has a kernel for each folder and one sink for all of them, whose gauges are the sum over
 * the kernels: none of them knows the value alone.
 */
export function changeGauge(metrics: MetricsSink, name: string, by: number, labels: MetricLabels = {}): void {
  const known = totals.get(metrics) ?? new Map<string, number>();
  totals.set(metrics, known);
  const key = JSON.stringify([name, labels]);
  const now = Math.max(0, (known.get(key) ?? 0) + by);
  known.set(key, now);
  metrics.gauge(name, now, labels);
}
