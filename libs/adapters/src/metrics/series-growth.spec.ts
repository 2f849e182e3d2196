import { PrometheusMetricsSink } from './prometheus-metrics-sink.js';

const DEFINITIONS = [
  { name: 'hits_total', kind: 'counter', help: 'Hits.', labels: ['where'] },
  { name: 'level', kind: 'gauge', help: 'Level.', labels: [] },
  { name: 'wait_seconds', kind: 'histogram', help: 'Wait.', labels: ['where'], buckets: [0.5, 1] },
] as const;
const all = () => true;

describe('SeriesGrowth', () => {
  const sink = () => new PrometheusMetricsSink({ definitions: DEFINITIONS });

  it('gives each growth once, whoever asks, and gauges never', () => {
    const mine = sink();
    mine.counter('hits_total', 2, { where: 'a' });
    mine.gauge('level', 3);
    mine.histogram('wait_seconds', 0.5, { where: 'a' });
    mine.histogram('wait_seconds', 7, { where: 'a' });
    expect(mine.growth.take(all)).toEqual({
      counters: [{ name: 'hits_total', labels: { where: 'a' }, value: 2 }],
      histograms: [{ name: 'wait_seconds', labels: { where: 'a' }, counts: [1, 0], sum: 7.5, count: 2 }],
    });
    expect(mine.growth.take(all)).toEqual({ counters: [], histograms: [] });
    mine.histogram('wait_seconds', 1, { where: 'a' });
    expect(mine.growth.take(all).histograms).toEqual([
      { name: 'wait_seconds', labels: { where: 'a' }, counts: [0, 1], sum: 1, count: 1 },
    ]);
  });

  it('leaves what was not asked for to grow on', () => {
    const mine = sink();
    mine.counter('hits_total', 1, { where: 'a' });
    mine.growth.take(({ kind }) => kind === 'histogram');
    mine.counter('hits_total', 1, { where: 'a' });
    expect(mine.growth.take(all).counters).toMatchObject([{ value: 2 }]);
  });

  it('adds up elsewhere to what it was taken from, and what does not fit is refused', () => {
    const [mine, fleet] = [sink(), sink()];
    for (const value of [0.1, 0.9, 30]) mine.histogram('wait_seconds', value, { where: 'a' });
    const [grown] = mine.growth.take(all).histograms;
    expect([fleet.addDistribution(grown!), fleet.addDistribution(grown!)]).toEqual([true, true]);
    const more = { ...grown!, counts: [9, 9], count: 3 };
    expect(fleet.addDistribution({ ...grown!, counts: [1] })).toBe(false);
    expect(fleet.addDistribution(more)).toBe(false);
    expect(fleet.addDistribution({ ...grown!, name: 'hits_total' })).toBe(false);
    expect(fleet.growth.take(all).histograms).toEqual([
      { name: 'wait_seconds', labels: { where: 'a' }, counts: [2, 2], sum: 62, count: 6 },
    ]);
  });
});
