import { spawnSync } from 'node:child_process';
import { ClientLog, decisionEntry } from '../audit/audit-batches.spec-support.js';
import { TestApi } from '../test-api.spec-support.js';

jest.setTimeout(60_000);

const HOSTILE = 'a"b\\c\r\n# TYPE x counter\nx{y="z"} 1 \u2028\u2029\0';

describe('what callers put into labels', () => {
  let api: TestApi;
  let auditor: string;
  let agent: string;
  let machine: string;
  let dana: string;
  beforeAll(async () => {
    api = await TestApi.start();
    auditor = await api.person('grace', ['auditor']);
    dana = await api.person('dana', ['developer']);
    ({ id: machine, token: agent } = await api.agent(dana));
  });
  afterAll(() => api.stop());

  const page = async (): Promise<string[]> =>
    (await api.request('GET', '/metrics', { token: auditor })).text.split('\n');
  const of = async (metric: string): Promise<string[]> =>
    (await page()).filter((line) => line.startsWith(`wrongstack_${metric}{`));
  const report = async (key: string, body: object): Promise<number> =>
    (
      await api.request('POST', '/v1/metrics/deltas', {
        token: agent,
        headers: { 'idempotency-key': key },
        body,
      })
    ).status;
  const sum = (lines: readonly string[]): number =>
    lines.reduce((total, line) => total + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);

  it('addresses: a thousand paths, tools and tasks that nobody has are one route each', async () => {
    for (let id = 0; id < 300; id += 1) {
      await api.app.inject({ url: `/made-up/${id}?secret=${id}` });
      await api.request('GET', `/v1/tasks/t-${id}`);
      await api.request('POST', `/v1/tools/tool-${id}/calls`, { body: { input: {} } });
    }
    const lines = await of('http_requests_total');
    expect(lines.length).toBeLessThan(12);
    expect(sum(lines)).toBeGreaterThanOrEqual(900);
    expect((await page()).join('\n')).not.toMatch(/made-up|secret|tool-\d|t-\d/);
  });

  it('reports: ten thousand models and codes are two hundred, and the rest is "other", and adds up', async () => {
    for (let part = 0; part < 5; part += 1) {
      const counters = Array.from({ length: 2_000 }, (_, index) => ({
        name: 'wrongstack_model_tokens_total',
        labels: { provider: 'p', model: `m-${part}-${index}`, kind: 'input' },
        value: 1,
      }));
      expect(await report(`flood-${part}`, { counters })).toBe(200);
    }
    const lines = await of('model_tokens_total');
    expect(lines.length).toBeLessThanOrEqual(201);
    expect(sum(lines)).toBe(10_000);
    expect(lines.find((line) => line.includes('model="other"'))).toMatch(/ 9\d{3}$/);
    expect(await of('metrics_overflow_total')).toEqual([
      expect.stringMatching(
        /^wrongstack_metrics_overflow_total\{metric="wrongstack_model_tokens_total"\} 9\d{3}$/,
      ),
    ]);
  });

  it('quotes, line breaks and separators of lines: the page is read line by line, and means what it says', async () => {
    const labels = { provider: HOSTILE, model: '\\', kind: '"' };
    expect(
      await report('hostile', {
        counters: [
          { name: 'wrongstack_model_requests_total', labels: { provider: HOSTILE, model: 'm' }, value: 1 },
          { name: 'wrongstack_model_tokens_total', labels, value: 1 },
          { name: 'wrongstack_model_errors_total', labels: { code: '\r' }, value: 1 },
        ],
      }),
    ).toBe(200);
    const lines = await page();
    expect(lines).not.toContainEqual(expect.stringMatching(/^(x\{|# TYPE x)/));
    expect(lines).toContain('wrongstack_model_errors_total{code="other"} 1');
    expect(
      lines.some((line) => line.includes('provider="a\\"b\\\\c\\n# TYPE x counter\\nx{y=\\"z\\"} 1 "')),
    ).toBe(true);
    const { error, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: lines.join('\n'),
      encoding: 'utf8',
    });
    if (error === undefined) expect(`${stdout}${stderr}`).toBe('');
  });

  it('numbers: what is none, goes back or is no growth is refused before it is counted', async () => {
    const counter = (value: unknown) => ({
      counters: [{ name: 'wrongstack_sessions_total', labels: {}, value }],
    });
    const histogram = (more: object) => ({
      counters: [],
      histograms: [
        { name: 'wrongstack_run_seconds', labels: { status: 'x' }, counts: [], sum: 1, count: 1, ...more },
      ],
    });
    const statuses = [];
    for (const [index, body] of [
      ...[null, '1', -1, 1e300, [1]].map(counter),
      ...[{ count: -1 }, { count: 1.5 }, { counts: [-1] }, { counts: 'x' }, { sum: null }].map(histogram),
      { counters: [], day: 'yesterday' },
      { counters: 'none' },
      {},
    ].entries())
      statuses.push(await report(`bad-${index}`, body));
    expect(new Set(statuses)).toEqual(new Set([422]));
    expect(await page()).toContain('wrongstack_sessions_total 0');
  });

  it('tools: four hundred names are two hundred; what is no name of a tool, and no word of a state, is "other"', async () => {
    const names = Array.from({ length: 400 }, (_, id) => `mcp__made-up__tool-${id}`);
    const texts = [
      '/home/ada/.ssh/id_ed25519',
      'rm -rf /',
      'https://x.test/?token=1',
      'please help me',
      HOSTILE,
    ];
    const counters = [...names, ...texts].flatMap((tool) => [
      { name: 'wrongstack_tool_calls_total', labels: { tool, status: 'ok' }, value: 1 },
      { name: 'wrongstack_tasks_total', labels: { tool: 'bash', state: `t-${tool}` }, value: 1 },
    ]);
    expect(await report('tools', { counters })).toBe(200);
    // And what machines ship as their decisions, from which the fleet's totals are read.
    const log = new ClientLog('a-tools');
    for (const part of [names.slice(0, 200), names.slice(200), texts]) {
      const batch = log.batch(
        part.map((tool) =>
          decisionEntry({ facts: { tool, actor: { user: { name: 'ada', authenticated: true } } } }),
        ),
      );
      const shipped = await api.request('POST', '/v1/audit/batches', { token: agent, body: batch });
      expect(`${shipped.status} ${shipped.text}`).toMatch(/^200 /);
    }
    for (const [metric, total] of [
      ['tool_calls_total', 405],
      ['tasks_total', 405],
      ['fleet_decisions_total', 405],
    ] as const) {
      const lines = await of(metric);
      expect(lines.length).toBeLessThanOrEqual(203);
      expect([metric, sum(lines)]).toEqual([metric, total]);
    }
    expect((await page()).join('\n')).not.toMatch(/ssh|rm -rf|x\.test|please/);
  });

  it('sums: whoever reports as much as is taken, again and again, breaks no budget, no total and no other report', async () => {
    const most = 1e12;
    const label = (model: number) => ({ provider: 'p', model: `big-${model}` });
    const counters = Array.from({ length: 1_000 }, (_, model) => [
      { name: 'wrongstack_model_tokens_total', labels: { ...label(model), kind: 'output' }, value: most },
      { name: 'wrongstack_model_cost_dollars_total', labels: label(model), value: most },
    ]).flat();
    for (const round of [1, 2, 3]) expect(await report(`most-${round}`, { counters })).toBe(200);
    expect(await report('too-much', { counters: [{ ...counters[0], value: most * 1.01 }] })).toBe(422);
    const mine = await api.request('GET', '/v1/usage/mine', { token: agent });
    expect([mine.status, mine.body]).toMatchObject([200, { user: { day: { tokens: 1e13, costUsd: 1e7 } } }]);
    const overview = await api.request('GET', '/v1/overview', { token: auditor });
    expect(overview.status).toBe(200);
    expect(
      await report('one-more', { counters: [{ name: 'wrongstack_sessions_total', labels: {}, value: 1 }] }),
    ).toBe(200);
    expect(await page()).toContain('wrongstack_sessions_total 1');
  });

  it('keys: another machine’s are others, and one’s own count for as long as late reports are taken', async () => {
    const one = { counters: [{ name: 'wrongstack_compactions_total', labels: {}, value: 1 }] };
    expect(await report('kept', one)).toBe(200);
    const { token } = await api.agent(await api.person('else', ['developer']));
    const headers = { 'idempotency-key': 'kept' };
    const other = await api.request('POST', '/v1/metrics/deltas', { token, headers, body: one });
    expect(other.status).toBe(200);
    expect(await page()).toContain('wrongstack_compactions_total 2');
    api.clock.forward(40 * 86_400_000);
    agent = (await api.agent(dana)).token;
    // The first one after an hour looks for keys that are too old.
    expect(await report('later', { counters: [] })).toBe(200);
    const days = 40 * 86_400_000;
    const kept = await api.control.control.store.usage.add({
      ...{ principal: machine, key: 'kept', at: new Date(Date.now() + days).toISOString() },
      ...{ holders: [], day: '2026-12-01', used: { tokens: 0, costUsd: 0, toolCalls: 0 } },
    });
    expect(kept).toBe(false);
  });
});
