import { spawnSync } from 'node:child_process';
import { METRICS } from '@wrongstack/adapters/metrics';
import { type AuditEntry, canonicalJson } from '@wrongstack/contracts';
import { auditIndexOf, chainHash, EMPTY_AUDIT_HEAD } from '@wrongstack/contracts/control';
import { CREATE_EXAMPLE } from '../approvals/approval-examples.js';
import { TestApi } from '../test-api.spec-support.js';

function value(text: string, series: string): number | null {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length + 1));
}

describe('metrics of the API', () => {
  let api: TestApi;
  let auditor: string;
  beforeAll(async () => {
    api = await TestApi.start();
    auditor = await api.person('grace', ['auditor']);
  });
  afterAll(() => api.stop());

  const page = async (): Promise<string> => (await api.request('GET', '/metrics', { token: auditor })).text;
  const report = (key: string | null, counters: unknown, user = 'ada') =>
    api.request('POST', '/v1/metrics/deltas', {
      user,
      body: { counters },
      ...(key === null ? {} : { headers: { 'idempotency-key': key } }),
    });

  it('are read by whoever may, in a format that Prometheus has nothing to complain about', async () => {
    expect((await api.request('GET', '/metrics', { user: null })).status).toBe(401);
    expect((await api.request('GET', '/metrics')).status).toBe(403);
    const answer = await api.request('GET', '/metrics', { token: auditor });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(answer.text).toMatch(/^wrongstack_build_info\{version="[^"]+",node="v[^"]+",role="worker"\} 1$/m);
    const { error, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: answer.text,
      encoding: 'utf8',
    });
    if (error === undefined) expect(`${stdout}${stderr}`).toBe('');
  });

  it('count requests by the pattern of the route, never by the address', async () => {
    await api.request('GET', '/v1/tasks/t-some-id-that-nobody-has');
    const text = await page();
    expect(
      value(text, 'wrongstack_http_requests_total{method="GET",route="/v1/tasks/:id",status="404"}'),
    ).toBe(1);
    expect(text).not.toContain('nobody-has');
  });

  it('count the decisions of governed calls, and drop no sample of ours', async () => {
    const call = (command: string) =>
      api.request('POST', '/v1/tools/bash/calls', { body: { input: { command } } });
    expect((await call('echo hi')).body['status']).toBe('ok');
    expect((await call('curl x')).body['status']).toBe('denied');
    const text = await page();
    expect(text).toMatch(
      /^wrongstack_decisions_total\{verdict="allow",source="rule",tier="user",capability="shell.arbitrary",state="none"\} 1$/m,
    );
    expect(text).toMatch(/^wrongstack_decisions_total\{verdict="deny",/m);
    expect(text).toMatch(/^wrongstack_tool_calls_total\{tool="bash",status="ok"\} 1$/m);
    expect(text).not.toMatch(/^wrongstack_metrics_dropped_total\{.*\} [1-9]/m);
  });

  it('add what command lines report, each report once', async () => {
    const counters = [
      {
        name: 'wrongstack_model_tokens_total',
        labels: { provider: 'p', model: 'm', kind: 'input' },
        value: 700,
      },
      { name: 'wrongstack_sessions_total', labels: {}, value: 1 },
      { name: 'wrongstack_sessions_total', labels: { user: 'ada' }, value: 1 },
      { name: 'wrongstack_fleet_decisions_total', labels: { verdict: 'deny', tool: 'x' }, value: 1 },
      { name: 'wrongstack_of_next_year_total', labels: {}, value: 1 },
    ];
    for (let time = 0; time < 3; time += 1) {
      const answer = await report('report-1', counters);
      expect([answer.status, answer.body]).toEqual([200, { taken: 2, ignored: 3 }]);
    }
    await report('report-2', counters.slice(0, 1));
    const text = await page();
    expect(value(text, 'wrongstack_model_tokens_total{provider="p",model="m",kind="input"}')).toBe(1_400);
    expect(value(text, 'wrongstack_sessions_total')).toBe(1);
    expect(value(text, 'wrongstack_fleet_reports_total')).toBe(2);
  });

  it('add histograms to what this process saw itself, and leave those with other buckets', async () => {
    const name = 'wrongstack_run_seconds';
    const bounds = METRICS.find((metric) => metric.name === name)?.buckets ?? [];
    const counts = bounds.map((bound) => (bound === 1 ? 2 : 0));
    const grown = { name, labels: { status: 'completed' }, counts, sum: 61.5, count: 3 };
    const body = { counters: [], histograms: [grown, { ...grown, counts: [1] }, { ...grown, name: 'x' }] };
    const headers = { 'idempotency-key': 'histograms-1' };
    for (let time = 0; time < 2; time += 1) {
      const answer = await api.request('POST', '/v1/metrics/deltas', { body, headers });
      expect([answer.status, answer.body]).toEqual([200, { taken: 1, ignored: 2 }]);
    }
    const text = await page();
    expect(value(text, `${name}_bucket{status="completed",le="0.5"}`)).toBe(0);
    expect(value(text, `${name}_bucket{status="completed",le="1"}`)).toBe(2);
    expect(value(text, `${name}_count{status="completed"}`)).toBe(3);
    expect(value(text, `${name}_sum{status="completed"}`)).toBe(61.5);
  });

  it('refuse reports that could be counted twice, or go back', async () => {
    expect((await report(null, [])).status).toBe(428);
    const back = { name: 'wrongstack_sessions_total', labels: {}, value: -1 };
    expect((await report('report-3', [back])).status).toBe(422);
  });

  it('count how approvals ended and how long they waited, each once, whoever waited for them', async () => {
    const dana = await api.person('dana', ['developer']);
    const otto = await api.person('otto', ['approver']);
    const { token } = await api.agent(dana);
    const ask = async (more: object = {}): Promise<string> => {
      const id = `ap-${String((asked += 1)).padStart(12, '0')}`;
      const approvers = { count: 1, from: [], excludeRequester: true };
      const body = { ...CREATE_EXAMPLE, id, approvers, ...more };
      const made = await api.request('POST', '/v1/approvals', { token, body });
      expect(made.status).toBe(201);
      return id;
    };
    let asked = 0;
    const say = (id: string, decision: string) =>
      api.request('POST', `/v1/approvals/${id}/decisions`, { token: otto, body: { decision } });
    const [yes, no, away, unused] = [await ask(), await ask(), await ask(), await ask({ ttlMinutes: 5 })];
    await ask({ ttlMinutes: 5 });
    await ask({ ttlMinutes: 60 });
    expect(value(await page(), 'wrongstack_approvals_waiting')).toBe(6);
    api.clock.forward(60_000);
    for (const id of [yes, unused]) expect((await say(id, 'approve')).status).toBe(200);
    expect((await say(no, 'reject')).status).toBe(200);
    await api.request('DELETE', `/v1/approvals/${away}`, { token });
    api.clock.forward(5 * 60_000);
    // The one that nobody answered ends; the one that was approved and not used has ended before.
    expect(await api.control.sweep.sweep()).toBe(2);
    const text = await page();
    const ended = (outcome: string) => [
      value(text, `wrongstack_fleet_approvals_total{outcome="${outcome}"}`),
      value(text, `wrongstack_fleet_approval_wait_seconds_count{outcome="${outcome}"}`),
    ];
    expect(['approved', 'rejected', 'withdrawn', 'expired'].map(ended)).toEqual([
      [2, 2],
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
    expect(value(text, 'wrongstack_fleet_approval_wait_seconds_bucket{outcome="approved",le="15"}')).toBe(0);
    expect(value(text, 'wrongstack_fleet_approval_wait_seconds_bucket{outcome="expired",le="300"}')).toBe(1);
    expect(value(text, 'wrongstack_approvals_waiting')).toBe(1);
  });

  it('show the totals of the audit log, from before this process and from after', async () => {
    const { audit } = api.control.control.store;
    const ship = async (source: string, verdict: 'allow' | 'deny', count: number): Promise<void> => {
      let prev: string | null = null;
      const records = Array.from({ length: count }, (_, seq) => {
        const entry: AuditEntry = {
          kind: 'decision',
          ts: new Date(0).toISOString(),
          session: null,
          run: null,
          call: null,
        };
        const index = {
          ...auditIndexOf(entry, { actor: 'ada', agent: null, team: null }),
          tool: 'bash',
          verdict,
        };
        const hash = chainHash(prev ?? EMPTY_AUDIT_HEAD.hash, canonicalJson({ ...entry, data: { seq } }));
        const record = { seq, prev, hash, index, entry };
        prev = hash;
        return record;
      });
      // Sent twice, as a client does that did not hear the receipt.
      await audit.append({ source, records }, new Date().toISOString());
      await audit.append({ source, records }, new Date().toISOString());
    };
    // What this server decided about its own calls is in the log as well.
    const own = (await audit.counts({ kind: 'decision' }, ['verdict'], 10)).map(({ count }) => count);
    expect(own).toEqual([1, 1]);
    await ship('agent-1/a', 'allow', 3);
    const first = await page();
    expect(value(first, 'wrongstack_fleet_decisions_total{verdict="allow",tool="bash"}')).toBe(1 + 3);
    await Promise.all([ship('agent-2/a', 'allow', 4), ship('agent-3/a', 'deny', 2), page(), page()]);
    const last = await page();
    expect(value(last, 'wrongstack_fleet_decisions_total{verdict="allow",tool="bash"}')).toBe(1 + 7);
    expect(value(last, 'wrongstack_fleet_decisions_total{verdict="deny",tool="bash"}')).toBe(1 + 2);
    const counted = await audit.counts({ kind: 'decision' }, ['verdict'], 10);
    expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(2 + 9);
  });
});
