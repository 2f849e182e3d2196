import { METRICS } from '@wrongstack/adapters/metrics';
import type { MetricsSink } from '@wrongstack/contracts';

/** What one counter of a command line grew by since its report before. */
export interface CounterDelta {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const MOST_COUNTERS = 2_000;

export const deltaReportSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['counters'],
  properties: {
    counters: {
      type: 'array',
      maxItems: MOST_COUNTERS,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'labels', 'value'],
        properties: {
          name: { type: 'string', maxLength: 100 },
          labels: {
            type: 'object',
            maxProperties: 8,
            additionalProperties: { type: 'string', maxLength: 200 },
          },
          value: { type: 'number', minimum: 0, maximum: 1e15 },
        },
      },
    },
  },
} as const;

// What the server counts itself is nobody's to report.
const SERVERS_OWN = /^wrongstack_(?:fleet|http|metrics)_/;
const REPORTABLE = new Map(
  METRICS.filter(({ name, kind }) => kind === 'counter' && !SERVERS_OWN.test(name)).map((metric) => [
    metric.name,
    metric,
  ]),
);

/** Adds a report to the totals; how many counters of it were taken. Those of a newer command line that are not known here are left. */
export function addReport(metrics: MetricsSink, counters: readonly CounterDelta[]): number {
  let taken = 0;
  for (const { name, labels, value } of counters) {
    const known = REPORTABLE.get(name);
    if (known === undefined || !sameLabels(known.labels, labels)) continue;
    metrics.counter(name, value, labels);
    taken += 1;
  }
  return taken;
}

function sameLabels(declared: readonly string[], given: CounterDelta['labels']): boolean {
  return (
    Object.keys(given).length === declared.length && declared.every((label) => Object.hasOwn(given, label))
  );
}
