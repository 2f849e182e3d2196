import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PrometheusMetricsSink } from '@wrongstack/adapters/metrics';

export const name = 'a label that a million values are thrown at (fails when memory grows)';

const VALUES = 1_000_000;
const MOST_BYTES = 8 * 1024 * 1024;
const definition = { name: 'calls_total', kind: 'counter', help: 'Calls.', labels: ['tool'] } as const;
const sink = new PrometheusMetricsSink({ definitions: [definition] });
let flooded = false;

/** The flood once, with its verdict; then single samples, which is what the time is of. */
export function run(iterations: number): void {
  if (!flooded) flood();
  for (let i = 0; i < iterations; i++) sink.counter('calls_total', 1, { tool: `late-${i}` });
}

function flood(): void {
  flooded = true;
  const before = settled();
  for (let i = 0; i < VALUES; i++) sink.counter('calls_total', 1, { tool: `made-up-${i}` });
  const grown = settled() - before;
  if (grown > MOST_BYTES) throw new Error(`label-flood: ${VALUES} label values took ${grown} bytes`);
}

function settled(): number {
  // Garbage that nobody has collected yet is not what this is about.
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed;
}
