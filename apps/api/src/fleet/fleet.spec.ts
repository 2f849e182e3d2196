import { ClientLog, decisionEntry } from '../audit/audit-batches.spec-support.js';
import { TestApi } from '../test-api.spec-support.js';

jest.setTimeout(60_000);

const POLICY = (because: string) => `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: acme, revision: 1, scope: { tier: org } }
rules:
  - { id: nothing, effect: deny, actions: ['*'], when: { tool: [never] }, because: ${because} }
`;
const BEAT = {
  version: '1.2.0',
  platform: 'linux-x64',
  bundle: null,
  state: 'undetermined',
  policyVersions: ['policy.wrongstack/v1'],
  auditPending: 3,
  refused: null,
};

describe('the fleet', () => {
  let api: TestApi;
  let admin: string;
  let ed: string;
  let dana: string;
  beforeEach(async () => {
    api = await TestApi.start();
    admin = await api.person('root', ['admin']);
    ed = await api.person('ed', ['policyEditor']);
    dana = await api.person('dana', ['developer'], ['payments']);
  });
  afterEach(() => api.stop());

  const beat = (token: string, change: Record<string, unknown> = {}) =>
    api.request('POST', '/v1/heartbeats', { token, body: { ...BEAT, ...change } });
  const get = async (url: string, token = admin) => (await api.request('GET', `/v1/${url}`, { token })).body;

  it('is what machines say about themselves, under the name that their token proves', async () => {
    const laptop = await api.agent(dana);
    expect((await beat(laptop.token)).status).toBe(204);
    expect(await get('fleet')).toMatchObject({
      items: [
        {
          agent: laptop.id,
          owner: 'dana',
          team: 'payments',
          version: '1.2.0',
          policyState: 'undetermined',
          spooled: 3,
          drift: ['state'],
        },
      ],
      next: null,
    });
    expect((await beat(dana)).status).toBe(403);
    expect((await api.request('GET', '/v1/fleet', { token: dana })).status).toBe(403);
    expect((await beat(laptop.token, { agent: 'another' })).status).toBe(422);
    expect((await beat(laptop.token, { state: 'alow' })).status).toBe(422);
  });

  it('drifts where a machine has not what was published, is silent or refuses', async () => {
    const [behind, current, refusing] = [await api.agent(dana), await api.agent(dana), await api.agent(dana)];
    await api.publish(ed, 'acme', POLICY('one'));
    const bundle = { scope: 'team:payments', epoch: 1, revision: 1 };
    for (const { token } of [behind, current]) await beat(token, { state: 'fresh', bundle });
    await beat(refusing.token, { state: 'stale', bundle: null, refused: 'bundle.signature' });
    const drifting = async (reason: string) =>
      ((await get(`fleet/drift?reason=${reason}`))['items'] as { agent: string }[]).map(({ agent }) => agent);
    expect(await drifting('behind')).toEqual([refusing.id]);
    expect(await drifting('stale')).toEqual([refusing.id]);
    await api.publish(ed, 'acme', POLICY('two'));
    await beat(current.token, { state: 'fresh', bundle: { ...bundle, revision: 2 } });
    expect((await drifting('behind')).sort()).toEqual([behind.id, refusing.id].sort());
    const { current: wanted, counts } = await get('fleet/drift');
    expect(wanted).toMatchObject({ revision: 2 });
    expect(counts).toMatchObject({
      policyState: [
        { value: 'fresh', count: 2 },
        { value: 'stale', count: 1 },
      ],
    });
    expect(await drifting('silent')).toEqual([]);
    api.clock.forward(16 * 60_000);
    expect(await drifting('silent')).toHaveLength(3);
  });

  it('lists machines whose clocks disagree with the server’s, whichever way', async () => {
    const at = (ms: number) => ({ time: new Date(api.clock.now() + ms).toISOString() });
    const [early, late, right, old] = [
      await api.agent(dana),
      await api.agent(dana),
      await api.agent(dana),
      await api.agent(dana),
    ];
    await beat(early.token, at(3_600_000));
    await beat(late.token, at(-90_000));
    await beat(right.token, at(-30_000));
    // One that does not say, as an older client.
    await beat(old.token);
    const { items } = await get('fleet/drift?reason=clock');
    const found = items as { agent: string; clockSkewMs: number; drift: string[] }[];
    expect(found.map(({ agent }) => agent).sort()).toEqual([early.id, late.id].sort());
    for (const { drift } of found) expect(drift).toContain('clock');
    const skewOf = (id: string) => found.find(({ agent }) => agent === id)?.clockSkewMs ?? 0;
    expect(skewOf(early.id)).toBeGreaterThan(3_600_000 - 10_000);
    expect(skewOf(late.id)).toBeLessThanOrEqual(-90_000);
    await beat(early.token, at(0));
    expect((await get('fleet/drift?reason=clock'))['items']).toMatchObject([{ agent: late.id }]);
    for (const time of ['yesterday', 12, '2026-12-01T00:00:00+01:00', '2026-13-41T25:00:00Z'])
      expect((await beat(late.token, { time })).status).toBe(422);
  });

  it('is seen at a glance, over time', async () => {
    const laptop = await api.agent(dana);
    await beat(laptop.token);
    const by = { kind: 'rule', id: 'no-prod', tier: 'team', document: 'payments', revision: 1 };
    const approval = {
      kind: 'approval',
      ts: new Date().toISOString(),
      session: null,
      run: null,
      call: null,
      data: {},
    };
    const earlier = new Date(Date.now() - 90 * 60_000).toISOString();
    const batch = new ClientLog('a-seen').batch([
      decisionEntry(),
      decisionEntry({ verdict: 'deny', by }),
      decisionEntry({ verdict: 'deny', by }, earlier),
      approval,
    ]);
    expect(
      (await api.request('POST', '/v1/audit/batches', { token: laptop.token, body: batch })).status,
    ).toBe(200);
    api.clock.forward(1_000);
    const body = await get('overview?hours=4');
    expect(body).toMatchObject({
      calls: { allow: 1, deny: 2, confirm: 0, approve: 0, total: 3 },
      answers: 1,
      approvals: { pending: 0 },
      fleet: { machines: 1, states: { undetermined: 1 } },
      topDenyingRules: [{ rule: 'no-prod', document: 'payments', count: 2 }],
      topTools: [{ tool: 'read', count: 3, denied: 2 }],
      prompts: { asked: 0, byAnswer: [] },
      usage: { inputTokens: 0, costUsd: 0, byModel: [] },
    });
    const series = body['series'] as { from: string; deny: number; answers: number }[];
    expect(series).toHaveLength(5);
    for (const { from } of series) expect(from).toMatch(/:00:00\.000Z$/);
    const stepOf = (ts: string) => series.findLastIndex(({ from }) => from <= ts);
    expect(series[stepOf(earlier)]).toMatchObject({ deny: 1, answers: 0 });
    expect(series[stepOf(approval.ts)]).toMatchObject({ deny: 1, answers: 1 });
    expect((await api.request('GET', '/v1/overview', { token: dana })).status).toBe(403);
  });

  it('says what was used, as command lines report it, once each', async () => {
    const laptop = await api.agent(dana);
    const model = { provider: 'anthropic', model: 'sonnet' };
    const counters = [
      { name: 'wrongstack_prompts_total', labels: {}, value: 4 },
      { name: 'wrongstack_prompt_answers_total', labels: { answer: 'once' }, value: 3 },
      { name: 'wrongstack_model_tokens_total', labels: { ...model, kind: 'input' }, value: 1000 },
      { name: 'wrongstack_model_tokens_total', labels: { ...model, kind: 'cache_read' }, value: 500 },
      { name: 'wrongstack_model_tokens_total', labels: { ...model, kind: 'output' }, value: 20 },
      { name: 'wrongstack_model_cost_dollars_total', labels: model, value: 0.123_456_7 },
    ];
    const report = (key: string, token: string) =>
      api.request('POST', '/v1/metrics/deltas', {
        token,
        headers: { 'idempotency-key': key },
        body: { counters },
      });
    for (const key of ['one', 'one', 'two']) expect((await report(key, laptop.token)).status).toBe(200);
    api.clock.forward(3_600_000);
    await report('three', await api.person('otto', ['developer']));
    api.clock.forward(1_000);
    const body = await get('overview?hours=3');
    expect(body).toMatchObject({
      prompts: { asked: 12, byAnswer: [{ answer: 'once', count: 9 }] },
      usage: {
        inputTokens: 4500,
        outputTokens: 60,
        byModel: [{ model: 'sonnet', tokens: 4560, costUsd: expect.closeTo(0.370_371, 6) }],
        byTeam: [
          { team: 'payments', tokens: 3040 },
          { team: null, tokens: 1520 },
        ],
      },
    });
    const series = body['series'] as { prompts: number }[];
    expect(series.reduce((sum, { prompts }) => sum + prompts, 0)).toBe(12);
    expect(series.findLast(({ prompts }) => prompts > 0)).toMatchObject({ prompts: 4 });

    // The same in detail, and of one team or model alone.
    const { usage } = body;
    const whole = await get('overview/usage?hours=3');
    expect(whole).toMatchObject({ ...(usage as object), costUsd: expect.closeTo(0.370_371, 6) });
    const spent = (whole['series'] as { outputTokens: number }[]).map(({ outputTokens }) => outputTokens);
    expect(spent.filter((tokens) => tokens > 0)).toEqual([40, 20]);
    expect(await get('overview/usage?hours=3&team=payments')).toMatchObject({
      inputTokens: 3000,
      byTeam: [{ team: 'payments', tokens: 3040 }],
    });
    expect(await get('overview/usage?hours=3&model=opus')).toMatchObject({ inputTokens: 0, byModel: [] });
    expect((await api.request('GET', '/v1/overview/usage', { token: dana })).status).toBe(403);
  });
});
