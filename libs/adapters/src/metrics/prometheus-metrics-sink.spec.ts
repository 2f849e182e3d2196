import { spawnSync } from 'node:child_process';
import type { Logger } from '@wrongstack/contracts';
import { METRICS, OWN_METRICS } from './metric-definitions.js';
import { processMetrics } from './process-metrics.js';
import { PrometheusMetricsSink } from './prometheus-metrics-sink.js';

const CALLS = 'wrongstack_tool_calls_total';
const DEFINITIONS = [
  { name: 'hits_total', kind: 'counter', help: 'Hits.', labels: ['where'] },
  { name: 'level', kind: 'gauge', help: 'Level.', labels: [] },
  { name: 'wait_seconds', kind: 'histogram', help: 'Wait.', labels: ['where'], buckets: [0.1, 1] },
] as const;

/** What the sink says of itself from the start. */
const NOTHING = /^wrongstack_metrics_dropped_total\{reason="\w+"\} 0$/;

class Lines implements Logger {
  readonly warnings: string[] = [];
  debug(): void {}
  info(): void {}
  error(): void {}
  warn(message: string, fields?: unknown): void {
    this.warnings.push(`${message} ${JSON.stringify(fields)}`);
  }
}

async function page(sink: PrometheusMetricsSink, format: 'text' | 'openmetrics' = 'text'): Promise<string> {
  let text = '';
  for await (const piece of sink.expose(format)) text += piece;
  return text;
}

function samples(text: string): string[] {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#') && !NOTHING.test(line));
}

/** Without what the sink says of itself. */
function ownOf(text: string): string {
  return text.replace(/^.*wrongstack_metrics_dropped.*\n/gm, '');
}

/** What promtool thinks of a page; null where it is not installed. */
function complaints(text: string): string | null {
  const { error, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  });
  return error === undefined ? `${stdout}${stderr}`.trim() : null;
}

describe('PrometheusMetricsSink', () => {
  it('writes help, type and every line of what was recorded', async () => {
    const sink = new PrometheusMetricsSink({ definitions: DEFINITIONS });
    sink.counter('hits_total', 1, { where: 'a' });
    sink.counter('hits_total', 2, { where: 'a' });
    sink.gauge('level', 3);
    sink.gauge('level', -1.5);
    sink.histogram('wait_seconds', 0.1, { where: 'a' });
    sink.histogram('wait_seconds', 5, { where: 'a' });
    expect(ownOf(await page(sink))).toBe(`# HELP hits_total Hits.
# TYPE hits_total counter
hits_total{where="a"} 3
# HELP level Level.
# TYPE level gauge
level -1.5
# HELP wait_seconds Wait.
# TYPE wait_seconds histogram
wait_seconds_bucket{where="a",le="0.1"} 1
wait_seconds_bucket{where="a",le="1"} 1
wait_seconds_bucket{where="a",le="+Inf"} 2
wait_seconds_sum{where="a"} 5.1
wait_seconds_count{where="a"} 2
`);
  });

  it('names a counter as OpenMetrics wants it, and ends the page', async () => {
    const sink = new PrometheusMetricsSink({ definitions: DEFINITIONS });
    sink.counter('hits_total', 1, { where: 'a' });
    expect(ownOf(await page(sink, 'openmetrics'))).toBe(
      '# HELP hits Hits.\n# TYPE hits counter\nhits_total{where="a"} 1\n# EOF\n',
    );
  });

  it('carries the trace of the newest observation of each bucket, where OpenMetrics is asked for and somebody traces', async () => {
    const sink = new PrometheusMetricsSink({ definitions: DEFINITIONS });
    sink.histogram('wait_seconds', 0.05, { where: 'a' });
    let trace: string | null = 'abc';
    sink.useTraces(() => trace);
    for (const value of [0.07, 0.08, 3]) sink.histogram('wait_seconds', value, { where: 'a' });
    trace = null;
    sink.histogram('wait_seconds', 0.5, { where: 'a' });
    const buckets = samples(await page(sink, 'openmetrics')).filter((line) => line.includes('_bucket'));
    expect(buckets).toEqual([
      expect.stringMatching(
        /^wait_seconds_bucket\{where="a",le="0.1"\} 3 # \{trace_id="abc"\} 0.08 \d+(\.\d+)?$/,
      ),
      'wait_seconds_bucket{where="a",le="1"} 4',
      expect.stringMatching(
        /^wait_seconds_bucket\{where="a",le="\+Inf"\} 5 # \{trace_id="abc"\} 3 \d+(\.\d+)?$/,
      ),
    ]);
    expect(await page(sink)).not.toContain('trace_id');
  });

  it('drops what is no number, counts it, names the offender once, and goes on counting', async () => {
    const log = new Lines();
    const sink = new PrometheusMetricsSink({ definitions: DEFINITIONS, log });
    sink.counter('hits_total', 1, { where: 'a' });
    for (const bad of [NaN, Infinity, -Infinity, -1]) sink.counter('hits_total', bad, { where: 'a' });
    // What a plugin in JavaScript may pass.
    sink.counter('hits_total', '5' as unknown as number, { where: 'a' });
    sink.histogram('wait_seconds', '5' as unknown as number, { where: 'a' });
    sink.gauge('level', NaN);
    sink.counter('hits_total', 1, { where: 'a' });
    const lines = samples(await page(sink));
    expect(lines).toContain('hits_total{where="a"} 2');
    expect(lines).toContain('wrongstack_metrics_dropped_total{reason="not_finite"} 6');
    expect(lines).toContain('wrongstack_metrics_dropped_total{reason="negative"} 1');
    expect(log.warnings.filter((line) => line.includes('"hits_total","reason":"not_finite"'))).toHaveLength(
      1,
    );
  });

  it('drops samples whose labels are not those that are declared', async () => {
    const sink = new PrometheusMetricsSink({ definitions: DEFINITIONS });
    sink.counter('hits_total', 1, {});
    sink.counter('hits_total', 1, { where: undefined as unknown as string });
    sink.counter('hits_total', 1, { elsewhere: 'a' });
    sink.counter('hits_total', 1, { where: 'a', more: 'b' });
    sink.gauge('hits_total', 1, { where: 'a' });
    sink.counter('no_such_total');
    expect(samples(await page(sink)).sort()).toEqual([
      'wrongstack_metrics_dropped_total{reason="label_missing"} 1',
      'wrongstack_metrics_dropped_total{reason="label_not_text"} 1',
      'wrongstack_metrics_dropped_total{reason="label_undeclared"} 2',
      'wrongstack_metrics_dropped_total{reason="other_kind"} 1',
      'wrongstack_metrics_dropped_total{reason="unknown_metric"} 1',
    ]);
  });

  it('escapes a quote, a backslash and a line feed, and leaves no other control character', async () => {
    const sink = new PrometheusMetricsSink({ definitions: DEFINITIONS });
    sink.counter('hits_total', 1, { where: 'a"b\\c\r\n\u2028\0d\ud800' });
    expect(samples(await page(sink))).toEqual(['hits_total{where="a\\"b\\\\c\\nd\ufffd"} 1']);
  });

  it('keeps so many values a label and series a metric; the rest is "other", and counted', async () => {
    const log = new Lines();
    const sink = new PrometheusMetricsSink({ definitions: DEFINITIONS, log, limits: { values: 3 } });
    for (let id = 0; id < 1_000; id += 1) sink.counter('hits_total', 1, { where: `made-up-${id}` });
    sink.counter('hits_total', 1, { where: 'made-up-1' });
    expect(samples(await page(sink))).toEqual([
      'hits_total{where="made-up-0"} 1',
      'hits_total{where="made-up-1"} 2',
      'hits_total{where="made-up-2"} 1',
      'hits_total{where="other"} 997',
      'wrongstack_metrics_overflow_total{metric="hits_total"} 997',
    ]);
    expect(log.warnings).toHaveLength(1);
  });

  it('keeps so many series of one metric, however the values are combined', async () => {
    const pair = { name: 'pairs_total', kind: 'counter', help: 'Pairs.', labels: ['a', 'b'] } as const;
    const sink = new PrometheusMetricsSink({ definitions: [pair], limits: { values: 50, series: 20 } });
    for (let id = 0; id < 400; id += 1) {
      sink.counter('pairs_total', 1, { a: String(id % 20), b: String(Math.floor(id / 20)) });
    }
    const lines = samples(await page(sink)).filter((line) => line.startsWith('pairs_total'));
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe('pairs_total{a="other",b="other"} 380');
  });

  it('takes words alone where a label is one: no path, command, address or sentence gets in', async () => {
    const sink = new PrometheusMetricsSink();
    const texts = [
      '/home/ada/secret',
      'rm -rf .',
      'https://x.test/?a=b',
      'a"b\\c\n\r',
      'über',
      '',
      '-f',
      'x'.repeat(101),
    ];
    for (const tool of [...texts, 'bash', 'mcp__files__read']) sink.counter(CALLS, 1, { tool, status: 'ok' });
    expect(samples(await page(sink)).filter((line) => line.startsWith(CALLS))).toEqual([
      `${CALLS}{tool="other",status="ok"} ${texts.length}`,
      `${CALLS}{tool="bash",status="ok"} 1`,
      `${CALLS}{tool="mcp__files__read",status="ok"} 1`,
    ]);
  });

  it('has what must never happen on its page from the start: growth from nothing is none to Prometheus', async () => {
    const lines = (await page(new PrometheusMetricsSink())).split('\n');
    for (const series of [
      'wrongstack_audit_gaps_total',
      'wrongstack_task_transitions_total{state="lost"}',
      'wrongstack_metrics_dropped_total{reason="not_finite"}',
    ])
      expect(lines).toContain(`${series} 0`);
  });

  it('gives plugins legal names that no two of them share', async () => {
    const sink = new PrometheusMetricsSink({ definitions: [] });
    sink.counter('plugin.a-b.c', 1);
    sink.counter('plugin.a_b.c', 2);
    sink.counter('plugin.a.b_c', 4);
    sink.counter('plugin.a-b.c', 8);
    sink.histogram('plugin.p.täme seconds', 1, { of: 'x' });
    const lines = samples(await page(sink)).filter((line) => !line.includes('_bucket'));
    expect(lines).toEqual([
      'plugin_a_b_c_total 9',
      expect.stringMatching(/^plugin_a_b_c_[0-9a-f]{8}_total 2$/),
      expect.stringMatching(/^plugin_a_b_c_[0-9a-f]{8}_total 4$/),
      'plugin_p_t_me_seconds_sum{of="x"} 1',
      'plugin_p_t_me_seconds_count{of="x"} 1',
    ]);
  });

  it('refuses labels of plugins that Prometheus would not read, and more metrics than there is room for', async () => {
    const sink = new PrometheusMetricsSink({ definitions: [], pluginMetrics: 3 });
    sink.counter('plugin.p.one', 1, { 'not legal': 'x' });
    sink.counter('plugin.p.two', 1, { le: 'x' });
    for (let id = 0; id < 10; id += 1) sink.counter(`plugin.p.m${id}`);
    // One that makes up names takes the room of no other.
    sink.counter('plugin.q.one');
    const lines = samples(await page(sink));
    expect(lines.filter((line) => line.startsWith('plugin_p_'))).toHaveLength(3);
    expect(lines).toContain('plugin_q_one_total 1');
    expect(lines).toContain('wrongstack_metrics_dropped_total{reason="unknown_metric"} 9');
  });

  it('is read although a collector throws and another one hangs, and says which', async () => {
    const log = new Lines();
    const sink = new PrometheusMetricsSink({ definitions: DEFINITIONS, log, collectorMs: 20 });
    sink.addCollector('good', () => sink.gauge('level', 7));
    sink.addCollector('throws', () => {
      throw new Error('no such thing');
    });
    let started = 0;
    sink.addCollector('hangs', () => {
      started += 1;
      return new Promise(() => undefined);
    });
    await page(sink);
    const lines = samples(await page(sink));
    expect(lines).toContain('level 7');
    expect(lines).toContain('wrongstack_metrics_collector_failures_total{collector="throws"} 2');
    expect(lines).toContain('wrongstack_metrics_collector_failures_total{collector="hangs"} 2');
    expect(started).toBe(1);
    expect(log.warnings).toHaveLength(2);
  });

  it('defines each of our metrics once, as Prometheus names them', async () => {
    const all = [...METRICS, ...OWN_METRICS];
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    const sink = new PrometheusMetricsSink();
    for (const { name, kind, labels } of all) {
      sink[kind](name, 1, Object.fromEntries(labels.map((label) => [label, 'x'])));
    }
    sink.addPage(processMetrics());
    const text = await page(sink);
    expect(samples(text)).toContain(`${CALLS}{tool="x",status="x"} 1`);
    expect(text).toContain('nodejs_eventloop_lag_seconds');
    expect(text).toContain('process_cpu_seconds_total');
    // Without promtool this compares nothing; CI has it.
    expect(complaints(text) ?? '').toBe('');
  });
});
