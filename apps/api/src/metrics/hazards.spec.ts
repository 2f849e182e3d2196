import { spawnSync } from 'node:child_process';
import { TestApi } from '../test-api.spec-support.js';

jest.setTimeout(60_000);

const HOSTILE = 'a"b\\c\r\n# TYPE x counter\nx{y="z"} 1 \u2028\u2029\0';

describe('what callers put into labels', () => {
  let api: TestApi;
  let auditor: string;
  let agent: string;
  beforeAll(async () => {
    api = await TestApi.start();
    auditor = await api.person('grace', ['auditor']);
    agent = (await api.agent(await api.person('dana', ['developer']))).token;
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
    expect(lines).toContain('wrongstack_model_errors_total{code=""} 1');
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
    expect((await page()).some((line) => line.startsWith('wrongstack_sessions_total'))).toBe(false);
  });
});
