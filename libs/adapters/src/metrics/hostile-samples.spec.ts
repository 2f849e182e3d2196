import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import type { Logger } from '@wrongstack/contracts';
import { PrometheusMetricsSink } from './prometheus-metrics-sink.js';

const DEFINITIONS = [
  { name: 'hits_total', kind: 'counter', help: 'Hits.', labels: ['where'] },
  { name: 'bare_total', kind: 'counter', help: 'Bare.', labels: [] },
  { name: 'level', kind: 'gauge', help: 'Level.', labels: ['where', 'how'] },
  { name: 'wait_seconds', kind: 'histogram', help: 'Wait.', labels: ['where'], buckets: [0.1, 1] },
] as const;

/** The text format, a line at a time: what is not one of these, no scraper reads. */
const LABEL = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*"`;
const LINE = new RegExp(
  String.raw`^(?:# (?:HELP|TYPE) [a-zA-Z_:][a-zA-Z0-9_:]* [^\n]*|[a-zA-Z_:][a-zA-Z0-9_:]*(?:\{${LABEL}(?:,${LABEL})*\})? (?:[-+]?\d[\d.e+-]*|NaN|[+-]Inf))$`,
);

const throwing = {
  get where(): string {
    throw new Error('no');
  },
};
const STRANGE: readonly unknown[] = [
  ...[
    undefined,
    null,
    NaN,
    Infinity,
    -Infinity,
    -1,
    0,
    -0,
    1e308,
    '5',
    '',
    true,
    5n,
    Symbol('s'),
    [],
    [1],
    {},
  ],
  ...[
    () => 1,
    new Date(0),
    { valueOf: () => 7 },
    Object.create(null),
    throwing,
    new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no');
        },
      },
    ),
  ],
  ...[
    'abc',
    new Map([['where', 'a']]),
    { where: 'a' },
    { where: 'a', how: 'b' },
    { where: 'a', __proto__: { how: 'b' } },
  ],
  ...[
    { where: { toString: () => 'a' } },
    { where: ['a'] },
    { where: undefined },
    { where: null },
    { le: 'a' },
    { __name__: 'a' },
  ],
  ...[
    { constructor: 'a' },
    { '': 'a' },
    { 'a b': 'c' },
    { where: 'a"b\\c\r\n\u2028\0\ud800' },
    { [Symbol.iterator]: 'a' },
  ],
];
const NAMES = [
  'hits_total',
  'bare_total',
  'level',
  'wait_seconds',
  'plugin.p.m',
  'plugin.p\n.m"',
  'plugin.p.',
  'nothing',
  '',
  '__proto__',
];

class Lines implements Logger {
  readonly warnings: string[] = [];
  debug(): void {}
  info(): void {}
  error(): void {}
  warn(message: string, fields?: unknown): void {
    this.warnings.push(`${message} ${JSON.stringify(fields)}`);
  }
}

async function linesOf(sink: PrometheusMetricsSink): Promise<string[]> {
  let text = '';
  for await (const piece of sink.expose()) text += piece;
  const { error, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  });
  // Without promtool this compares nothing; CI has it. That a plugin's author left out a unit is theirs to know.
  const complaints = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('error'));
  if (error === undefined) expect(complaints).toEqual([]);
  return text.split('\n').slice(0, -1);
}

describe('what a plugin, or somebody who made one, may pass for a sample', () => {
  const record = (sink: PrometheusMetricsSink, kind: string, ...given: unknown[]): void => {
    // As JavaScript calls it, which knows no types.
    const call = (sink as unknown as Record<string, (...all: unknown[]) => void>)[kind];
    call?.apply(sink, given);
  };

  it('never throws, never makes the page unreadable, and leaves what was right as it is', async () => {
    const log = new Lines();
    const sink = new PrometheusMetricsSink({ definitions: DEFINITIONS, log });
    for (const kind of ['counter', 'gauge', 'histogram'])
      for (const name of NAMES)
        for (const value of STRANGE) for (const labels of STRANGE) record(sink, kind, name, value, labels);
    sink.counter('hits_total', 2, { where: 'good' });
    const lines = await linesOf(sink);
    for (const line of lines) expect(line).toMatch(LINE);
    expect(lines).toContain('hits_total{where="good"} 2');
    expect(lines.filter((line) => line.includes('undefined') || line.includes('[object'))).toEqual([]);
    expect(
      lines.filter((line) => line.startsWith('wrongstack_metrics_dropped_total')).length,
    ).toBeGreaterThan(3);
    // Each offender once, and there are not many.
    expect(new Set(log.warnings).size).toBe(log.warnings.length);
    expect(log.warnings.length).toBeLessThan(200);
  });

  it('is read line by line whatever text is in names and labels', async () => {
    const sink = new PrometheusMetricsSink({ definitions: DEFINITIONS, pluginMetrics: 60 });
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 30 }),
        fc.string({ unit: 'binary', maxLength: 140 }),
        fc.dictionary(fc.string({ maxLength: 8 }), fc.string({ unit: 'binary', maxLength: 20 }), {
          maxKeys: 3,
        }),
        fc.double(),
        (name, text, labels, value) => {
          sink.counter('hits_total', 1, { where: text });
          sink.histogram(`plugin.${name}.m`, value, labels);
          sink.counter(`plugin.p.${name}`, value, labels);
        },
      ),
      { numRuns: 300 },
    );
    const lines = await linesOf(sink);
    for (const line of lines) expect(line).toMatch(LINE);
    const series = lines.filter((line) => !line.startsWith('#')).map((line) => line.replace(/ [^ ]+$/, ''));
    expect(new Set(series).size).toBe(series.length);
    const types = lines.filter((line) => line.startsWith('# TYPE')).map((line) => line.split(' ')[2]);
    expect(new Set(types).size).toBe(types.length);
  });

  // The bench `label-flood` throws a million.
  it('takes no memory without end, however many values of a label and names are made up', () => {
    const sink = new PrometheusMetricsSink({ definitions: DEFINITIONS });
    const heap = (): number => {
      globalThis.gc?.();
      return process.memoryUsage().heapUsed;
    };
    for (let id = 0; id < 20_000; id += 1) sink.counter('hits_total', 1, { where: `warm-${id}` });
    const before = heap();
    for (let id = 0; id < 300_000; id += 1) {
      sink.counter('hits_total', 1, { where: `made-up-${id}` });
      if (id % 10 === 0) sink.gauge(`plugin.p.made-up-${id}`, 1, { [`l${id % 100}`]: `v${id}` });
    }
    // Far below what a million texts would take, whether or not garbage was collected meanwhile.
    expect((heap() - before) / 2 ** 20).toBeLessThan(40);
    expect([...sink.series()].length).toBeLessThan(1_000);
  });
});
