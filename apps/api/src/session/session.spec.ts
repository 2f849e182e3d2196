import { TestApi } from '../test-api.spec-support.js';
import { Browser } from './browser.spec-support.js';

jest.setTimeout(60_000);

const MINUTE = 60_000;

describe('a session of the console', () => {
  let api: TestApi;
  let root: string;
  let ed: string;
  beforeAll(async () => {
    api = await TestApi.start();
    root = await api.person('root', ['admin', 'auditor']);
    ed = await api.person('ed', ['policyEditor'], ['payments']);
  });
  afterAll(() => api.stop());

  const signedIn = async (token: string): Promise<Browser> => {
    const browser = new Browser(api);
    expect((await browser.signIn(token)).status).toBe(201);
    return browser;
  };
  const code = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
    status,
    body['code'],
  ];

  it('tells who one is, and everything that one may do', async () => {
    const browser = await signedIn(ed);
    const { status, body, headers } = await browser.request('GET', '/v1/session');
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toMatchObject({
      user: { id: 'ed', name: 'ed', kind: 'user' },
      organisation: 'default',
      fourEyes: false,
      teams: ['payments'],
      roles: ['policyEditor'],
      abilities: expect.arrayContaining(['publish:Publication', 'update:Policy', 'read:Audit']),
      ownAbilities: expect.arrayContaining(['read:Token']),
      session: { csrf: browser.csrf, idleAfterSeconds: 1800 },
    });
    expect(body['abilities']).not.toContain('update:Settings');
    expect(body['abilities']).not.toContain('read:Token');
    // A program's token says the same, without a session.
    const program = await api.request('GET', '/v1/session', { token: ed });
    expect(program.body).toEqual({ ...body, session: null });
  });

  it('says the same of a person as the table of roles does', async () => {
    const { body } = await api.request('GET', '/v1/roles', { token: root });
    const roles = body['roles'] as { role: string; abilities: string[]; ownAbilities: string[] }[];
    const editor = roles.find(({ role }) => role === 'policyEditor');
    const { body: me } = await api.request('GET', '/v1/session', { token: ed });
    expect([me['abilities'], me['ownAbilities']]).toEqual([editor?.abilities, editor?.ownAbilities]);
    expect(roles.find(({ role }) => role === 'agent')?.abilities).not.toContain('create:Token');
    expect((await api.request('GET', '/v1/roles', { token: ed })).status).toBe(403);
  });

  it('opens every route that its person may use, also what changes something', async () => {
    const browser = await signedIn(ed);
    expect((await browser.request('GET', '/v1/policies')).status).toBe(200);
    expect(code(await browser.request('GET', '/v1/users'))).toEqual([403, 'auth.forbidden']);
    const made = await browser.request('POST', '/v1/tokens', { body: { name: 'from the console' } });
    expect(made.status).toBe(201);
    expect((await api.request('GET', '/v1/whoami', { token: String(made.body['token']) })).status).toBe(200);
  });

  it('lies in a cookie that no script reads and no other site is sent', async () => {
    const { headers, text } = await new Browser(api).signIn(ed);
    const [cookie = ''] = [headers['set-cookie'] ?? []].flat();
    expect(cookie).toMatch(/^wrongstack=[\w-]{43}; Path=\/v1; Max-Age=43200; HttpOnly; SameSite=Strict$/);
    const secret = /=([\w-]{43});/.exec(cookie)?.[1] ?? '?';
    expect(text).not.toContain(secret);
    // The store cannot give it away either.
    const kept = await api.control.control.store.sessions.ofUser('ed', 100);
    expect(JSON.stringify(kept)).not.toContain(secret);
  });

  it('begins with a new secret, whatever cookie somebody has put there before', async () => {
    const browser = new Browser(api);
    const planted = 'p'.repeat(43);
    browser.cookies.set('wrongstack', planted);
    await browser.signIn(ed);
    expect(browser.cookies.get('wrongstack')).not.toBe(planted);
    // Signing in again ends what the browser had: nobody goes on with it.
    const before = browser.cookies.get('wrongstack') ?? '';
    await browser.signIn(root);
    const left = new Browser(api);
    left.cookies.set('wrongstack', before);
    expect(code(await left.request('GET', '/v1/session'))).toEqual([401, 'session.ended']);
    left.cookies.set('wrongstack', planted);
    expect(code(await left.request('GET', '/v1/session'))).toEqual([401, 'session.ended']);
    expect(left.cookies.size).toBe(0);
  });

  it.each<[string, Record<string, string>, string]>([
    ['without the CSRF token', { 'x-wrongstack-csrf': '' }, 'session.csrf'],
    ['with that of another session', { 'x-wrongstack-csrf': 'c'.repeat(43) }, 'session.csrf'],
    ['from another page', { origin: 'https://evil.example' }, 'session.origin'],
    ['from another port of this machine', { origin: 'http://localhost:9999' }, 'session.origin'],
    ['from a page that hides where it is', { origin: 'null' }, 'session.origin'],
    ['from no page at all', { origin: '' }, 'session.origin'],
    ['by another site', { 'sec-fetch-site': 'same-site' }, 'session.origin'],
  ])('changes nothing that is asked for %s', async (_name, headers, expected) => {
    const browser = await signedIn(ed);
    for (const [method, url, body] of [
      ['POST', '/v1/tokens', { name: 'stolen' }],
      ['PUT', '/v1/policies/x/draft', { text: 'x' }],
      ['DELETE', '/v1/session', undefined],
    ] as const) {
      const answer = await browser.request(method, url, { headers, ...(body === undefined ? {} : { body }) });
      expect(code(answer)).toEqual([403, expected]);
    }
    expect((await browser.request('GET', '/v1/session')).status).toBe(200);
    const { body } = await api.request('GET', '/v1/tokens?limit=500', { token: root });
    expect((body['items'] as { name: string }[]).map(({ name }) => name)).not.toContain('stolen');
  });

  it('is read by our own page alone', async () => {
    const browser = await signedIn(ed);
    for (const site of ['cross-site', 'same-site'])
      expect(
        code(await browser.request('GET', '/v1/policies', { headers: { 'sec-fetch-site': site } })),
      ).toEqual([403, 'session.origin']);
    const typed = await browser.request('GET', '/v1/policies', { headers: { 'sec-fetch-site': 'none' } });
    expect(typed.status).toBe(200);
  });

  it('does not begin from another page, by a wrong token, or for anybody who is no person', async () => {
    const browser = new Browser(api);
    const from = (token: string, headers: Record<string, string> = {}) =>
      browser.request('POST', '/v1/session', { body: { token }, headers });
    expect(code(await from(ed, { origin: 'https://evil.example' }))).toEqual([403, 'session.origin']);
    expect(code(await from('wst_x'))).toEqual([401, 'session.token_refused']);
    expect(code(await from('ada'))).toEqual([401, 'session.token_refused']);
    const agent = await api.agent(await api.person('dana', ['developer']));
    expect(code(await from(agent.token))).toEqual([403, 'session.not_a_person']);
    const service = await api.request('POST', '/v1/tokens', {
      token: root,
      body: { name: 'ci', service: { id: 'ci', roles: ['admin'] } },
    });
    expect(code(await from(String(service.body['token'])))).toEqual([403, 'session.not_a_person']);
    expect(browser.cookies.size).toBe(0);
  });

  it('is over after half an hour without a request, and after twelve hours in any case', async () => {
    const browser = await signedIn(ed);
    const alive = async () => (await browser.request('GET', '/v1/session')).status;
    for (let round = 0; round < 3; round += 1) {
      api.clock.forward(20 * MINUTE);
      expect(await alive()).toBe(200);
    }
    api.clock.forward(31 * MINUTE);
    expect(await alive()).toBe(401);
    const other = await signedIn(ed);
    for (let passed = 0; passed < 12 * 60 - 20; passed += 20) {
      api.clock.forward(20 * MINUTE);
      expect((await other.request('GET', '/v1/session')).status).toBe(200);
    }
    api.clock.forward(20 * MINUTE);
    expect(code(await other.request('GET', '/v1/session'))).toEqual([401, 'session.ended']);
  });

  it('ends with the token that it was begun with, and with its person', async () => {
    const { body } = await api.request('POST', '/v1/tokens', { token: ed, body: { name: 'for a day' } });
    const record = body['record'] as { id: string };
    const browser = await signedIn(String(body['token']));
    expect((await browser.request('GET', '/v1/session')).status).toBe(200);
    await api.request('DELETE', `/v1/tokens/${record.id}`, { token: ed });
    expect(code(await browser.request('GET', '/v1/session'))).toEqual([401, 'session.ended']);

    const gone = await signedIn(await api.person('gone', ['auditor']));
    const disabled = await api.request('PUT', '/v1/users/gone', {
      token: root,
      headers: { 'if-match': '"1"' },
      body: { name: 'gone', email: null, teams: [], roles: [], disabled: true },
    });
    expect(disabled.status).toBe(200);
    expect(code(await gone.request('GET', '/v1/session'))).toEqual([401, 'session.ended']);
  });

  it('is no wider than the token that it was begun with', async () => {
    const { body } = await api.request('POST', '/v1/tokens', {
      token: ed,
      body: { name: 'reads', scopes: ['read:Policy'] },
    });
    const browser = await signedIn(String(body['token']));
    expect((await browser.request('GET', '/v1/session')).body['abilities']).toEqual(['read:Policy']);
    expect((await browser.request('GET', '/v1/policies')).status).toBe(200);
    expect((await browser.request('GET', '/v1/fleet')).status).toBe(403);
  });

  it('is over when one signs out, everywhere, and stands in the audit log', async () => {
    const browser = await signedIn(ed);
    const kept = browser.cookies.get('wrongstack') ?? '';
    const csrf = browser.csrf;
    expect((await browser.request('DELETE', '/v1/session')).status).toBe(204);
    expect(browser.cookies.size).toBe(0);
    expect(code(await browser.request('GET', '/v1/session'))).toEqual([401, 'auth.required']);
    const thief = new Browser(api);
    thief.cookies.set('wrongstack', kept);
    thief.csrf = csrf;
    expect(code(await thief.request('POST', '/v1/tokens', { body: { name: 'x' } }))).toEqual([
      401,
      'session.ended',
    ]);
    const { body } = await api.request('GET', '/v1/audit/records?actor=ed&limit=5', { token: root });
    const actions = (body['items'] as { entry: { data: { action: string } } }[]).map(
      ({ entry }) => entry.data.action,
    );
    expect(actions.slice(0, 2)).toEqual(['session.ended', 'session.started']);
    expect(code(await api.request('DELETE', '/v1/session', { token: ed }))).toEqual([404, 'session.none']);
  });

  it('is one of twenty at most: the oldest gives way', async () => {
    const lou = await api.person('lou', ['auditor']);
    const first = await signedIn(lou);
    for (let count = 0; count < 20; count += 1) {
      api.clock.forward(1);
      await signedIn(lou);
    }
    expect(code(await first.request('GET', '/v1/session'))).toEqual([401, 'session.ended']);
    expect(await api.control.control.store.sessions.ofUser('lou', 100)).toHaveLength(20);
  });

  it('is not one where two cookies bear its name', async () => {
    const browser = await signedIn(ed);
    const cookie = `wrongstack=${'p'.repeat(43)}; wrongstack=${browser.cookies.get('wrongstack') ?? ''}`;
    expect(code(await browser.request('GET', '/v1/session', { headers: { cookie } }))).toEqual([
      401,
      'auth.required',
    ]);
  });

  it('counts for nothing beside a token that is sent', async () => {
    const browser = await signedIn(root);
    const headers = { authorization: `Bearer ${ed}` };
    const { body } = await browser.request('GET', '/v1/session', { headers });
    expect(body).toMatchObject({ user: { id: 'ed' }, session: null });
    const wrong = await browser.request('GET', '/v1/session', { headers: { authorization: 'Bearer x' } });
    expect(wrong.status).toBe(401);
  });

  it('goes to this machine alone over plain http', async () => {
    for (const host of [
      'console.example',
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      '10.0.0.1:3000',
    ])
      expect(code(await new Browser(api, `http://${host}`).signIn(ed))).toEqual([403, 'session.insecure']);
    for (const origin of ['http://127.0.0.1:8123', 'http://[::1]:3000', 'http://localhost'])
      expect((await new Browser(api, origin).signIn(ed)).status).toBe(201);
  });

  it('tells its streams that it is over', async () => {
    const approver = await api.person('olga', ['approver']);
    const browser = await signedIn(approver);
    const stream = browser.request('GET', '/v1/approvals/events');
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect((await browser.request('DELETE', '/v1/session')).status).toBe(204);
    // What wakes the stream; a quiet one looks at its next sign of life.
    api.control.approvals.changed();
    expect((await stream).text).toContain('event: session-ended\n');
  });
});

describe('a session where the console is reached over https', () => {
  it('is bound to that host, for https alone, and to no neighbour of it', async () => {
    const api = await TestApi.start({ control: { url: 'https://govern.example' } });
    try {
      const ed = await api.person('ed', ['policyEditor']);
      const browser = new Browser(api, 'https://govern.example');
      const { headers } = await browser.signIn(ed);
      expect(headers['set-cookie']).toMatch(
        /^__Host-wrongstack=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/,
      );
      expect((await browser.request('GET', '/v1/session')).status).toBe(200);
      // A proxy may call us by another name: the page's own origin is what counts.
      const inside = { host: '10.0.0.1:3000' };
      expect((await browser.request('DELETE', '/v1/session', { headers: inside })).status).toBe(204);
      for (const origin of ['http://govern.example', 'https://a.govern.example', 'http://localhost:3000'])
        expect((await new Browser(api, origin).signIn(ed)).body['code']).toBe('session.origin');
    } finally {
      await api.stop();
    }
  });
});
