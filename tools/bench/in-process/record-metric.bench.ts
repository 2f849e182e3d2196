import { PrometheusMetricsSink } from '@wrongstack/adapters/metrics';
import { Counter, Registry } from 'prom-client';

export const name = 'a counter with three labels is recorded';
export const limitRatio = 1;

const definition = {
  name: 'calls_total',
  kind: 'counter',
  help: 'Calls.',
  labels: ['tool', 'status', 'tier'],
} as const;
const sink = new PrometheusMetricsSink({ definitions: [definition] });
const plain = new Counter({
  name: 'calls_total',
  help: 'Calls.',
  labelNames: [...definition.labels],
  registers: [new Registry()],
});
const samples = ['bash', 'read', 'write', 'grep', 'glob'].flatMap((tool) =>
  ['completed', 'denied', 'failed'].map((status) => ({ tool, status, tier: 'org' })),
);

export function run(iterations: number): void {
  for (let i = 0; i < iterations; i++) {
    for (const labels of samples) sink.counter('calls_total', 1, labels);
  }
}

export const baseline = {
  name: "prom-client's labelled inc",
  run(iterations: number): void {
    for (let i = 0; i < iterations; i++) {
      for (const labels of samples) plain.inc(labels, 1);
    }
  },
};
