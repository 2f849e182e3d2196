import { TestApi } from '../test-api.spec-support.js';

jest.setTimeout(60_000);

const policy = (deny: string, test = 'deny', extra = '') => `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: payments, revision: 1, scope: { tier: team, ref: payments } }
rules:
  - id: no-prod
    effect: deny
    actions: ['*']
    when: { command: { argv: [kubectl, ${deny}] } }
    because: production goes through the pipeline
${extra}tests:
  - name: drain is denied
    call: { tool: bash, input: { command: kubectl drain n1 } }
    expect: { verdict: ${test} }
`;

describe('the life of a policy', () => {
  let api: TestApi;
  let ed: string;
  let root: string;
  let dev: string;
  beforeAll(async () => {
    api = await TestApi.start();
    ed = await api.person('ed', ['policyEditor']);
    root = await api.person('root', ['admin']);
    dev = await api.person('dana', ['developer'], ['payments']);
  });
  afterAll(() => api.stop());

  const call = (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    body?: unknown,
    token = ed,
    headers: Record<string, string> = {},
  ) => api.request(method, `/v1/policies${url}`, { token, headers, ...(body === undefined ? {} : { body }) });

  async function settings(change: Record<string, unknown>) {
    const { body, headers } = await api.request('GET', '/v1/settings', { token: root });
    const tag = String(headers['etag']);
    const put = await api.request('PUT', '/v1/settings', {
      token: root,
      body: { ...body, ...change },
      headers: { 'if-match': tag },
    });
    expect(put.status).toBe(200);
  }

  async function draft(text: string) {
    const before = await call('GET', '/payments/draft');
    const headers: Record<string, string> =
      before.status === 200 ? { 'if-match': String(before.headers['etag']) } : { 'if-none-match': '*' };
    const saved = await call('PUT', '/payments/draft', { text }, ed, headers);
    expect(saved.status).toBe(200);
    return saved;
  }

  async function bundle(token = dev, scope = 'team:payments') {
    const { status, body, headers } = await api.request('GET', `/v1/bundles/${encodeURIComponent(scope)}`, {
      token,
    });
    if (status !== 200) return { status, documents: [], revision: 0, tag: '', stamp: '' };
    const read = JSON.parse(Buffer.from(String(body['payload']), 'base64url').toString()) as {
      revision: number;
      documents: { id: string; revision: number; text: string }[];
    };
    return { status, ...read, tag: String(headers['etag']), stamp: String(headers['wrongstack-timestamp']) };
  }

  it('begins as a draft that may be wrong, and reaches nobody', async () => {
    expect((await call('POST', '', { text: policy('delete') }, dev)).status).toBe(403);
    const { status, body } = await call('POST', '', { text: policy('delete') });
    expect([status, body['id'], body['tier'], body['activeRevision']]).toEqual([
      201,
      'payments',
      'team',
      null,
    ]);
    expect((await call('POST', '', { text: policy('delete') })).body['code']).toBe('policy.exists');
    await draft('not: [yet');
    const report = await call('POST', '/payments/draft/validate', {});
    expect([report.status, report.body['code']]).toEqual([422, 'policy.invalid']);
    expect((await bundle()).status).toBe(404);
  });

  it('is not published while its tests fail', async () => {
    await draft(policy('delete'));
    const tested = await call('POST', '/payments/draft/test', {});
    expect(tested.body).toMatchObject({ passed: false });
    const { status, body } = await call('POST', '/payments/publications', { expectedRevision: 0 });
    expect([status, body['code']]).toEqual([422, 'policy.tests_failed']);
    expect(body['detail']).toContain('drain is denied');
  });

  it('answers what a call would be, and what a draft changes', async () => {
    await draft(policy('drain'));
    const asked = await api.request('POST', '/v1/what-if', {
      token: ed,
      body: {
        call: { tool: 'bash', input: { command: 'sudo kubectl -n x drain n1' } },
        who: { team: 'payments' },
        document: { policy: 'payments' },
      },
    });
    expect(asked.status).toBe(200);
    expect(JSON.stringify(asked.body)).toContain('no-prod');
    const changed = await call('POST', '/payments/draft/diff', {});
    expect(JSON.stringify(changed.body)).toContain('no-prod');
  });

  it('reaches its team in a signed bundle once it is published, and nobody else', async () => {
    const { status, body } = await call('POST', '/payments/publications', {
      expectedRevision: 0,
      note: 'first',
    });
    expect([status, body['state'], body['revision']]).toEqual([201, 'active', 1]);
    const got = await bundle();
    expect(got.documents.map(({ id, revision }) => [id, revision])).toEqual([['payments', 1]]);
    expect(got.stamp.split('.')).toHaveLength(3);
    expect((await bundle(await api.person('otto', ['developer'], ['ops']), 'team:payments')).status).toBe(
      403,
    );
  });

  it('is asked for again without being sent again', async () => {
    const { tag } = await bundle();
    const again = await api.request('GET', '/v1/bundles/team:payments', {
      token: dev,
      headers: { 'if-none-match': tag },
    });
    expect(again.status).toBe(304);
    expect(again.headers['wrongstack-timestamp']).toBeDefined();
  });

  it('wakes whoever waits for the next', async () => {
    const { tag, revision } = await bundle();
    const waiting = api.request('GET', '/v1/bundles/team:payments?wait=20', {
      token: dev,
      headers: { 'if-none-match': tag },
    });
    await draft(
      policy(
        'drain',
        'deny',
        '  - { id: more, effect: deny, actions: [net.outbound], because: no network }\n',
      ),
    );
    await call('POST', '/payments/publications', { expectedRevision: 1 });
    expect((await waiting).status).toBe(200);
    expect((await bundle()).revision).toBeGreaterThan(revision);
  });

  it('goes to one of two who publish at once', async () => {
    await draft(
      policy(
        'drain',
        'deny',
        '  - { id: third, effect: deny, actions: [net.outbound], because: no network }\n',
      ),
    );
    const outcomes = await Promise.all(
      [1, 2].map(() => call('POST', '/payments/publications', { expectedRevision: 2 })),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('keeps both edits where two save at once: the second learns of the first', async () => {
    const { headers } = await draft(policy('drain'));
    const tag = { 'if-match': String(headers['etag']) };
    const first = await call('PUT', '/payments/draft', { text: `${policy('drain')}# ed\n` }, ed, tag);
    const second = await call('PUT', '/payments/draft', { text: `${policy('drain')}# root\n` }, root, tag);
    expect([first.status, second.status, second.body['code']]).toEqual([200, 412, 'draft.changed']);
    expect(second.body['detail']).toContain('ed');
    expect(second.headers['etag']).toBe(first.headers['etag']);
  });

  it('waits for somebody else’s yes where the organisation wants four eyes', async () => {
    await settings({ fourEyes: true });
    const { body } = await call('POST', '/payments/publications', { expectedRevision: 3 });
    expect(body['state']).toBe('awaiting');
    const before = await bundle();
    const own = await call('POST', '/payments/revisions/4/approve', {});
    expect([own.status, own.body['code']]).toEqual([403, 'policy.four_eyes']);
    expect((await call('POST', '/payments/revisions/4/approve', {}, dev)).status).toBe(403);
    expect((await bundle()).revision).toBe(before.revision);
    const yes = await call('POST', '/payments/revisions/4/approve', {}, root);
    expect(yes.body).toMatchObject({ state: 'active', approver: 'root' });
    expect((await bundle()).documents[0]?.revision).toBe(4);
    expect((await call('GET', '/payments/revisions/3')).body['state']).toBe('superseded');
    await settings({ fourEyes: false });
  });

  it('is rolled out to some, goes further, and is halted for all who have it', async () => {
    await draft(
      policy(
        'drain',
        'deny',
        '  - { id: staged, effect: deny, actions: [package.install], because: not now }\n',
      ),
    );
    const rollout = { teams: [], percent: 0, salt: 'x' };
    const { body } = await call('POST', '/payments/publications', { expectedRevision: 4, rollout });
    expect(body['state']).toBe('staged');
    expect((await bundle()).documents[0]?.revision).toBe(4);
    await call('POST', '/payments/revisions/5/advance', { rollout: { teams: ['payments'], percent: 100 } });
    expect((await bundle()).documents[0]?.revision).toBe(5);
    const halted = await call('POST', '/payments/revisions/5/halt', { because: 'too many denials' });
    expect(halted.body['state']).toBe('halted');
    const after = await bundle();
    expect(after.documents[0]?.revision).toBe(4);
  });

  it('is rolled back as a new, higher revision', async () => {
    const before = await bundle();
    const { status, body } = await call('POST', '/payments/rollback', {
      to: 1,
      expectedRevision: 5,
      note: 'the old one was better',
    });
    expect([status, body['revision'], body['kind'], body['state']]).toEqual([201, 6, 'rollback', 'active']);
    const after = await bundle();
    expect(after.documents[0]?.revision).toBe(6);
    expect(after.revision).toBeGreaterThan(before.revision);
    const never = await call('POST', '/payments/rollback', { to: 1, expectedRevision: 5, note: 'again' });
    expect([never.status, never.body['code']]).toEqual([409, 'policy.revision_conflict']);
  });

  it('keeps its whole history, its comments, and who did what', async () => {
    const revisions = (await call('GET', '/payments/revisions')).body['items'] as { revision: number }[];
    expect(revisions.map(({ revision }) => revision)).toEqual([6, 5, 4, 3, 2, 1]);
    await call('POST', '/payments/comments', { text: 'why package.install?', revision: 5 });
    expect(JSON.stringify((await call('GET', '/payments/comments')).body)).toContain('why package.install?');
    const { items } = await api.control.control.store.audit.search({ kind: 'note' }, { limit: 200 });
    const actions = new Set(items.map(({ entry }) => entry.data?.['action']));
    for (const action of [
      'policy.published',
      'policy.approved',
      'rollout.advance',
      'rollout.halt',
      'policy.rolled_back',
    ])
      expect(actions).toContain(action);
  });

  it.each([
    [
      'a tier that no centre publishes',
      policy('drain').replace('tier: team, ref: payments', 'tier: user'),
      'policy.tier',
    ],
    ['a team policy without its team', policy('drain').replace(', ref: payments', ''), 'policy.team_missing'],
    ['an unknown key', `${policy('drain')}surprise: 1\n`, 'policy.invalid'],
    ['no YAML', '{', 'policy.invalid'],
  ])('does not begin with %s', async (_name, text, code) => {
    const { status, body } = await call('POST', '', { text: text.replace('id: payments', 'id: another') });
    expect([status, body['code']]).toEqual([422, code]);
  });
});
