import { TestApi } from '../test-api.spec-support.js';

jest.setTimeout(60_000);

const POLICY = `# By the platform team.
apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: payments, revision: 1, scope: { tier: team, ref: payments } }
rules:
  - id: no-prod
    effect: deny
    actions: ['*']
    when: { command: { argv: [deploy, drain] } }
    because: production goes through the pipeline
tests:
  - name: drain is denied
    call: { tool: bash, input: { command: deploy drain n1 } }
    expect: { verdict: deny, rule: no-prod }
`;
const FACTS = {
  tool: 'bash',
  paths: [],
  hosts: [],
  command: {
    unparsed: false,
    commands: [{ argv: ['deploy', 'drain', 'n1'], traits: [], wrapper: 'none', inner: [] }],
  },
};
const WANTED = {
  decision: 'd-1',
  tool: 'bash',
  title: 'bash deploy drain n1',
  digest: `sha256:${'a'.repeat(64)}`,
  rule: 'no-prod',
  document: 'payments',
  revision: 1,
  facts: FACTS,
  reason: 'incident 12: the node is burning',
  wantedUntil: null,
};

describe('exception requests', () => {
  let api: TestApi;
  let ed: string;
  let root: string;
  let dana: string;
  beforeEach(async () => {
    api = await TestApi.start();
    ed = await api.person('ed', ['policyEditor', 'developer']);
    root = await api.person('root', ['admin']);
    dana = await api.person('dana', ['developer'], ['payments']);
    await api.publish(ed, 'payments', POLICY);
  });
  afterEach(() => api.stop());

  const inAnHour = () => new Date(api.clock.now() + 3_600_000).toISOString();
  const ask = async (change: Record<string, unknown> = {}, token = dana) => {
    const { body } = await api.request('POST', '/v1/exception-requests', {
      token,
      body: { ...WANTED, ...change },
    });
    return String(body['id']);
  };
  const decide = async (id: string, body: Record<string, unknown>, token = ed) => {
    const answer = await api.request('POST', `/v1/exception-requests/${id}/decision`, { token, body });
    return { ...answer, outcome: [answer.status, answer.body['code'] ?? answer.body['state']] };
  };
  const explain = (token: string, command = 'deploy drain n1') =>
    api.request('POST', '/v1/decisions', { token, body: { tool: 'bash', input: { command } } });

  it('become an exception in the denying rule’s own document, for that person, call and time', async () => {
    const other = await api.person('dora', ['developer'], ['payments']);
    expect((await explain(dana)).body).toMatchObject({ verdict: 'deny', by: { id: 'no-prod' } });
    const until = inAnHour();
    const granted = await decide(await ask(), { decision: 'grant', until, note: 'once' });
    expect(granted.body).toMatchObject({
      state: 'granted',
      decided: { by: 'ed', note: 'once', published: { policy: 'payments', revision: 2 } },
    });
    const { text } = (await api.request('GET', '/v1/policies/payments/revisions/2', { token: ed })).body;
    expect(text).toContain('# By the platform team.');
    expect(text).toContain(`expiresAt: ${until}`);
    expect((await explain(dana)).body).toMatchObject({ verdict: 'allow' });
    expect((await explain(dana, 'deploy drain n2')).body).toMatchObject({ verdict: 'deny' });
    expect((await explain(other)).body).toMatchObject({ verdict: 'deny', by: { id: 'no-prod' } });
  });

  it('are refused without a change', async () => {
    const id = await ask();
    expect((await decide(id, { decision: 'refuse', note: 'no' })).outcome).toEqual([200, 'refused']);
    expect((await decide(id, { decision: 'grant', until: inAnHour() })).outcome).toEqual([
      409,
      'exception.closed',
    ]);
    const { body } = await api.request('GET', '/v1/policies/payments', { token: ed });
    expect(body['newestRevision']).toBe(1);
  });

  it('are never granted by who asked, and need an end', async () => {
    const own = await ask({}, ed);
    expect((await decide(own, { decision: 'grant', until: inAnHour() })).outcome).toEqual([
      403,
      'exception.own_request',
    ]);
    const id = await ask();
    expect((await decide(id, { decision: 'grant', until: inAnHour() }, dana)).status).toBe(403);
    expect((await decide(id, { decision: 'grant' })).outcome).toEqual([422, 'exception.no_end']);
    expect((await decide(id, { decision: 'grant', until: '2020-01-01T00:00:00Z' })).outcome).toEqual([
      422,
      'exception.end',
    ]);
    expect((await decide(id, { decision: 'grant', until: '2099-01-01T00:00:00Z' })).outcome).toEqual([
      422,
      'exception.end',
    ]);
  });

  it('wait for somebody else where four eyes are demanded', async () => {
    const { body, headers } = await api.request('GET', '/v1/settings', { token: root });
    const tag = String(headers['etag']);
    await api.request('PUT', '/v1/settings', {
      token: root,
      body: { ...body, fourEyes: true },
      headers: { 'if-match': tag },
    });
    const granted = await decide(await ask(), { decision: 'grant', until: inAnHour() });
    expect(granted.outcome).toEqual([200, 'granted']);
    expect((await explain(dana)).body).toMatchObject({ verdict: 'deny' });
    const second = await ask({ decision: 'd-2' });
    expect((await decide(second, { decision: 'grant', until: inAnHour() })).outcome).toEqual([
      409,
      'exception.review_under_way',
    ]);
    const approve = (token: string) =>
      api.request('POST', '/v1/policies/payments/revisions/2/approve', { token, body: {} });
    expect((await approve(ed)).status).toBe(403);
    expect((await approve(root)).status).toBe(200);
    expect((await explain(dana)).body).toMatchObject({ verdict: 'allow' });
  });

  it.each([
    ['a rule that is gone', { rule: 'other' }, [409, 'exception.rule_gone']],
    ['a document of nobody', { document: 'local' }, [409, 'exception.not_central']],
    ['a call that cannot be named', { facts: {} }, [422, 'exception.not_nameable']],
  ])('about %s change nothing', async (_name, change, outcome) => {
    const id = await ask(change);
    expect((await decide(id, { decision: 'grant', until: inAnHour() })).outcome).toEqual(outcome);
    expect((await decide(id, { decision: 'refuse' })).outcome).toEqual([200, 'refused']);
  });

  it('of others are not shown', async () => {
    await ask();
    const other = await api.person('dora', ['developer'], ['payments']);
    const list = async (token: string) =>
      (await api.request('GET', '/v1/exception-requests', { token })).body['items'] as unknown[];
    expect(await list(other)).toEqual([]);
    expect(await list(dana)).toHaveLength(1);
    expect(await list(ed)).toHaveLength(1);
  });
});
