import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { METRICS } from '@wrongstack/adapters/metrics';
import { processMetrics } from '@wrongstack/adapters/metrics/process';
import { type AuditEntry, canonicalJson } from '@wrongstack/contracts';
import { auditIndexOf, chainHash, EMPTY_AUDIT_HEAD } from '@wrongstack/contracts/control';
import { TestApi } from '../test-api.spec-support.js';
import { CREATE_EXAMPLE } from '../approvals/approval-examples.js';
import { ClientLog, decisionEntry } from '../audit/audit-batches.spec-support.js';
import { TestPrometheus } from './prometheus.spec-support.js';

const FOLDER = path.resolve(__dirname, '../../../../tools/observability/grafana/dashboards');

const POLICY = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: acme, revision: 1, scope: { tier: org } }
rules:
  - { id: nothing, effect: deny, actions: ['*'], when: { tool: [never] }, because: a test }
`;

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}

/** Every query of every dashboard, as Grafana would send it. */
function queries(): [string, string][] {
  return readdirSync(FOLDER).flatMap((file) => {
    const { panels } = JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as {
      readonly panels: readonly Panel[];
    };
    return panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }): [string, string] => [
        `${file} ${title}`,
        expr.replaceAll('$__rate_interval', '30s'),
      ]),
    );
  });
}

describe('dashboards against a real Prometheus', () => {
  let api: TestApi;
  let prometheus: TestPrometheus;
  let dana: string;
  let otto: string;

  beforeAll(async () => {
    // With spans, so that what is scraped has exemplars.
    api = await TestApi.start({}, undefined, { spans: new SimpleSpanProcessor(new InMemorySpanExporter()) });
    api.host.metrics.addPage(processMetrics());
    await api.app.listen(0, '127.0.0.1');
    const { host } = new URL(await api.app.getUrl());
    const token = await api.person('prometheus', ['auditor']);
    dana = await api.person('dana', ['developer'], ['payments']);
    otto = await api.person('otto', ['approver']);
    await api.publish(await api.person('ed', ['policyEditor']), 'acme', POLICY);
    prometheus = await TestPrometheus.start(host, token);
    await work('first');
    await prometheus.until(async () => (await prometheus.query('wrongstack_sessions_total > 0')).length > 0);
    // Rates need a second look at what has moved.
    await work('second');
    await prometheus.until(
      async () => (await prometheus.query('rate(wrongstack_sessions_total[30s]) > 0')).length > 0,
    );
    await prometheus.until(
      async () => (await prometheus.query('wrongstack:task_queue_seconds:p95_15m >= 0')).length > 0,
    );
  }, 90_000);
  afterAll(async () => {
    prometheus.stop();
    await api.stop();
  });

  /** What an organisation does in a day: governed calls, a background task, shipped decisions, reports of command lines. */
  async function work(round: string): Promise<void> {
    const call = (command: string, more = {}) =>
      api.request('POST', '/v1/tools/bash/calls', { body: { input: { command, ...more } } });
    await call('echo hi');
    await call('curl example.com');
    const task = await call('sleep 0.2', { run_in_background: true });
    expect(task.status).toBe(202);
    const entry: AuditEntry = {
      kind: 'decision',
      ts: new Date().toISOString(),
      session: null,
      run: null,
      call: null,
    };
    for (const verdict of ['allow', 'deny'] as const) {
      const index = {
        ...auditIndexOf(entry, { actor: 'ada', agent: null, team: null }),
        tool: 'bash',
        verdict,
      };
      const hash = chainHash(EMPTY_AUDIT_HEAD.hash, canonicalJson(entry));
      const records = [{ seq: 0, prev: null, hash, index, entry }];
      await api.control.control.store.audit.append({ source: `a/${round}-${verdict}`, records }, entry.ts);
    }
    const machine = await api.agent(dana);
    const heartbeat = {
      ...{ version: '1.2.0', platform: 'linux-x64', bundle: null, state: 'fresh', refused: null },
      ...{ policyVersions: ['policy.wrongstack/v1'], auditPending: 1_000 },
    };
    const { token } = machine;
    const batch = new ClientLog(`a-${round}`).batch([decisionEntry()]);
    expect((await api.request('POST', '/v1/heartbeats', { token, body: heartbeat })).status).toBe(204);
    expect((await api.request('POST', '/v1/audit/batches', { token, body: batch })).status).toBe(200);
    const id = `ap-${round.padEnd(12, '0')}`;
    const approvers = { count: 1, from: [], excludeRequester: true };
    const ask = { ...CREATE_EXAMPLE, id, approvers };
    expect((await api.request('POST', '/v1/approvals', { token, body: ask })).status).toBe(201);
    const answer = { token: otto, body: { decision: 'approve' } };
    expect((await api.request('POST', `/v1/approvals/${id}/decisions`, answer)).status).toBe(200);
    const report = await api.request('POST', '/v1/metrics/deltas', {
      headers: { 'idempotency-key': round },
      body: { day: new Date().toISOString().slice(0, 10), ...reported() },
    });
    expect(report.body['ignored']).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
  }

  it('every query returns data after the run', async () => {
    const empty: string[] = [];
    for (const [panel, expression] of queries()) {
      if ((await prometheus.query(expression)).length === 0) empty.push(`${panel}: ${expression}`);
    }
    expect(empty).toEqual([]);
    expect(queries().length).toBeGreaterThan(30);
  });

  it('the scrape is up, and no alert about us fires', async () => {
    expect(await prometheus.query('up == 1')).toHaveLength(1);
    const firing = await prometheus.query('ALERTS{alertstate="firing"}');
    expect(firing.map(({ metric }) => metric['alertname'])).toEqual([]);
  });

  it('exemplars name the traces of observations', async () => {
    const found = await prometheus.exemplars('wrongstack_decision_seconds_bucket');
    expect(found.map(({ labels }) => labels['trace_id'])).toContainEqual(
      expect.stringMatching(/^[0-9a-f]{32}$/),
    );
  });

  it('the totals are those of the audit log', async () => {
    const [allowed] = await prometheus.query('sum(wrongstack_fleet_decisions_total{verdict="allow"})');
    const counted = await api.control.control.store.audit.counts(
      { kind: 'decision', verdict: 'allow' },
      ['verdict'],
      5,
    );
    expect(Number(allowed?.value[1])).toBe(counted[0]?.count);
  });
});

/** One of each counter, and one histogram, that only command lines see. */
function reported() {
  const values: Readonly<Record<string, string>> = {
    ...{
      provider: 'scripted',
      model: 'demo',
      code: 'provider.overloaded',
      status: 'completed',
      answer: 'once',
    },
    ...{ effect: 'deny', limit: 'cost' },
  };
  const names = [
    ...['model_requests', 'model_errors', 'model_retries', 'compactions', 'runs', 'sessions', 'prompts'],
    ...['model_cost_dollars', 'budget_warnings', 'budget_stops', 'mcp_starts', 'mcp_reconnects'],
    ...['plugin_load_failures', 'plugin_faults'],
    ...['prompt_answers', 'trust_uses', 'yolo_uses', 'policy_shadow_divergences'],
  ];
  const plain = names.map((name) => {
    const metric = METRICS.find((one) => one.name === `wrongstack_${name}_total`);
    const labels = Object.fromEntries((metric?.labels ?? []).map((label) => [label, values[label] ?? 'x']));
    return { name: metric?.name ?? name, labels, value: name === 'model_requests' ? 20 : 1 };
  });
  const tokens = ['input', 'output', 'cache_read', 'cache_write'].map((kind) => ({
    name: 'wrongstack_model_tokens_total',
    labels: { provider: 'scripted', model: 'demo', kind },
    value: 100,
  }));
  const runs = METRICS.find((one) => one.name === 'wrongstack_run_seconds');
  const counts = (runs?.buckets ?? []).map((bound) => (bound === 60 ? 1 : 0));
  const histograms = [
    { name: 'wrongstack_run_seconds', labels: { status: 'completed' }, counts, sum: 42, count: 1 },
  ];
  return { counters: [...plain, ...tokens], histograms };
}
