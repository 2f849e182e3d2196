import { InMemoryMetricsSink } from './in-memory-metrics-sink.js';

describe('InMemoryMetricsSink', () => {
  it('sums counters and histograms and keeps the last gauge', () => {
    const sink = new InMemoryMetricsSink();
    sink.counter('hits_total', 1, { tier: 'l1' });
    sink.counter('hits_total', 2, { tier: 'l1' });
    sink.histogram('latency_seconds', 0.5);
    sink.histogram('latency_seconds', 1.5);
    sink.gauge('size', 3);
    sink.gauge('size', 1);
    expect(sink.samples()).toEqual([
      { kind: 'counter', name: 'hits_total', labels: { tier: 'l1' }, value: 3, count: 2 },
      { kind: 'histogram', name: 'latency_seconds', labels: {}, value: 2, count: 2 },
      { kind: 'gauge', name: 'size', labels: {}, value: 1, count: 2 },
    ]);
  });

  it('is not poisoned by NaN, infinity or a counter that goes back', () => {
    const sink = new InMemoryMetricsSink();
    sink.counter('hits_total', 1);
    sink.counter('hits_total', Number.NaN);
    sink.counter('hits_total', Number.POSITIVE_INFINITY);
    sink.counter('hits_total', -5);
    expect(sink.samples()).toMatchObject([{ value: 1, count: 1 }]);
  });

  it('bounds the series of one metric, whatever callers put into labels', () => {
    const sink = new InMemoryMetricsSink();
    for (let id = 0; id < 10_000; id += 1) sink.counter('calls_total', 1, { tool: `made-up-${String(id)}` });
    const samples = sink.samples();
    expect(samples.length).toBe(201);
    expect(samples.at(-1)).toMatchObject({ labels: { series: 'other' }, value: 9_800 });
  });

  it('bounds the metrics, whatever names plugins make up, and goes on counting those that it knows', () => {
    const sink = new InMemoryMetricsSink();
    sink.counter('calls_total');
    for (const kind of ['counter', 'histogram', 'gauge'] as const)
      for (let id = 0; id < 10_000; id += 1) sink[kind](`made-up-${String(id)}`, 1, { id: String(id) });
    sink.counter('calls_total');
    const samples = sink.samples();
    expect(samples.length).toBeLessThanOrEqual(1_003);
    expect(samples[0]).toMatchObject({ name: 'calls_total', value: 2 });
    expect(samples.filter(({ name }) => name === 'other').map(({ kind, count }) => [kind, count])).toEqual([
      ['counter', 9_001],
      ['histogram', 10_000],
      ['gauge', 10_000],
    ]);
  });
});
