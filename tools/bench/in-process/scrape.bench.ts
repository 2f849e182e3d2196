import { PrometheusMetricsSink } from '@wrongstack/adapters/metrics';
import { Counter, Registry } from 'prom-client';

export const name = 'longest time that a scrape of 10,000 series holds the event loop';
export const limitRatio = 0.3;

const SERIES = 10_000;
const definition = {
  name: 'calls_total',
  kind: 'counter',
  help: 'Calls.',
  labels: ['tool', 'status'],
} as const;
const sink = new PrometheusMetricsSink({
  definitions: [definition],
  limits: { values: SERIES, series: SERIES },
});
const registry = new Registry();
const plain = new Counter({
  name: 'calls_total',
  help: 'Calls.',
  labelNames: [...definition.labels],
  registers: [registry],
});
for (let i = 0; i < SERIES; i++) {
  const labels = { tool: `tool-${i}`, status: 'completed' };
  sink.counter('calls_total', i, labels);
  plain.inc(labels, i);
}

/** Milliseconds between two turns of the loop, the longest while `scrape` was under way. */
async function longestTurn(scrape: () => Promise<void>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let over = false;
  const turn = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!over) setImmediate(turn);
  };
  await new Promise(setImmediate);
  last = performance.now();
  setImmediate(turn);
  await scrape();
  over = true;
  await new Promise(setImmediate);
  turn();
  return longest;
}

async function ours(): Promise<void> {
  let characters = 0;
  for await (const piece of sink.expose()) characters += piece.length;
  if (characters < SERIES * 40) throw new Error('scrape: the page is not whole');
}

async function theirs(): Promise<void> {
  if ((await registry.metrics()).length < SERIES * 40) throw new Error('scrape: the page is not whole');
}

async function total(scrape: () => Promise<void>, iterations: number): Promise<number> {
  let milliseconds = 0;
  for (let i = 0; i < iterations; i++) milliseconds += await longestTurn(scrape);
  return milliseconds;
}

export const run = (iterations: number): Promise<number> => total(ours, iterations);
export const baseline = {
  name: "prom-client's whole page",
  run: (iterations: number): Promise<number> => total(theirs, iterations),
};
export const measured = 'returned';
