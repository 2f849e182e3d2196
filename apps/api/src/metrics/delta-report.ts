import { isReported, METRICS, type PrometheusMetricsSink } from '@wrongstack/adapters/metrics';
import type { MetricsReport, ReportedHistogram } from '@wrongstack/contracts/wire';

export interface AddedReport {
  /** Series that were added. */
  readonly taken: number;
  /** Those of a newer command line that are not known here, or have other buckets. */
  readonly ignored: number;
}

const REPORTABLE = new Map(METRICS.filter(isReported).map((metric) => [metric.name, metric]));

/** Adds a report to the totals; null = only says what would be taken of it. */
export function addReport(
  metrics: PrometheusMetricsSink | null,
  { counters, histograms = [] }: MetricsReport,
): AddedReport {
  const known = counters.filter(({ name, labels }) => isKnown(name, 'counter', labels));
  for (const { name, labels, value } of known) metrics?.counter(name, value, labels);
  const fitting = histograms.filter((one) => isKnown(one.name, 'histogram', one.labels) && fits(one));
  for (const one of fitting) metrics?.addDistribution(one);
  const taken = known.length + fitting.length;
  return { taken, ignored: counters.length + histograms.length - taken };
}

function isKnown(name: string, kind: string, labels: Readonly<Record<string, string>>): boolean {
  const known = REPORTABLE.get(name);
  return (
    known?.kind === kind &&
    Object.keys(labels).length === known.labels.length &&
    known.labels.every((label) => Object.hasOwn(labels, label))
  );
}

function fits({ name, counts, count }: ReportedHistogram): boolean {
  const bounds = REPORTABLE.get(name)?.buckets;
  return counts.length === bounds?.length && counts.reduce((sum, one) => sum + one, 0) <= count;
}
