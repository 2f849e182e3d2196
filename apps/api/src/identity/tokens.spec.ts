import { TestApi } from '../test-api.spec-support.js';

jest.setTimeout(60_000);

describe('API tokens', () => {
  let api: TestApi;
  let admin: string;
  let dev: string;
  beforeAll(async () => {
    api = await TestApi.start();
    admin = await api.person('root', ['admin']);
    dev = await api.person('dana', ['developer'], ['payments']);
  });
  afterAll(() => api.stop());

  const issue = (token: string, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
    api.request('POST', '/v1/tokens', { token, body, headers });
  const whoami = async (token: string) => (await api.request('GET', '/v1/whoami', { token })).status;

  it('are shown once, work at once, and are listed without their secret', async () => {
    const { status, body } = await issue(dev, { name: 'laptop' });
    expect(status).toBe(201);
    const token = String(body['token']);
    const who = await api.request('GET', '/v1/whoami', { token });
    expect(who.body).toMatchObject({
      principal: { id: 'dana', teams: ['payments'], roles: ['developer'] },
      agent: null,
    });
    const { text } = await api.request('GET', '/v1/tokens', { token: dev });
    expect(text).toContain('laptop');
    expect(text).not.toContain(token.split('_')[2]);
    expect(text).not.toMatch(/secretHash/);
  });

  it('are kept hashed', async () => {
    const { body } = await issue(dev, { name: 'kept' });
    const [, id = '', ...rest] = String(body['token']).split('_');
    const secret = rest.join('_');
    const record = await api.control.control.store.tokens.get(id);
    expect(JSON.stringify(record)).not.toContain(secret);
    expect(record?.secretHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('stop working when they are revoked, at once, and when they end', async () => {
    const { body } = await issue(dev, { name: 'short', expiresInDays: 1 });
    const token = String(body['token']);
    expect(await whoami(token)).toBe(200);
    const id = token.split('_')[1] ?? '';
    expect((await api.request('DELETE', `/v1/tokens/${id}`, { token: dev })).status).toBe(204);
    expect(await whoami(token)).toBe(401);

    const second = String((await issue(dev, { name: 'second', expiresInDays: 1 })).body['token']);
    expect(await whoami(second)).toBe(200);
    api.clock.forward(25 * 3_600_000);
    expect(await whoami(second)).toBe(401);
  });

  it('of somebody else look like none', async () => {
    const { body } = await issue(admin, { name: 'admin’s' });
    const id = String(body['token']).split('_')[1] ?? '';
    const { status, body: problem } = await api.request('DELETE', `/v1/tokens/${id}`, { token: dev });
    expect([status, problem['code']]).toEqual([404, 'token.unknown']);
    expect((await api.request('GET', '/v1/tokens', { token: dev })).text).not.toContain(id);
  });

  it('can be narrower than their owner, and never wider', async () => {
    const narrow = String((await issue(admin, { name: 'reader', scopes: ['read:User'] })).body['token']);
    expect((await api.request('GET', '/v1/users', { token: narrow })).status).toBe(200);
    expect((await api.request('GET', '/v1/settings', { token: narrow })).status).toBe(403);
    const wide = String((await issue(dev, { name: 'wide', scopes: ['*:User'] })).body['token']);
    expect((await api.request('GET', '/v1/users', { token: wide })).status).toBe(403);
  });

  it('of services are an admin’s to give', async () => {
    const service = { id: 'ci', roles: ['auditor'] };
    expect((await issue(dev, { name: 'ci', service })).status).toBe(403);
    const { status, body } = await issue(admin, { name: 'ci', service });
    expect(status).toBe(201);
    const who = await api.request('GET', '/v1/whoami', { token: String(body['token']) });
    expect(who.body).toMatchObject({ principal: { id: 'ci', kind: 'service', roles: ['auditor'] } });
  });

  it('are not made twice by a request that is sent twice, and not shown twice either', async () => {
    const key = { 'idempotency-key': 'once-1' };
    expect((await issue(dev, { name: 'once' }, key)).status).toBe(201);
    const again = await issue(dev, { name: 'once' }, key);
    expect([again.status, again.body['code']]).toEqual([409, 'idempotency.shown_once']);
    const other = await issue(dev, { name: 'another' }, key);
    expect([other.status, other.body['code']]).toEqual([409, 'idempotency.conflict']);
  });

  it.each([
    ['nothing', ''],
    ['another scheme', 'Basic d3N0'],
    [
      'a token of a kind that is none',
      'Bearer wsx_00000000000000000000_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    ],
    ['an id that is none', 'Bearer wst_00000000000000000000_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
    ['a very long one', `Bearer ${'a'.repeat(20_000)}`],
  ])('are not %s', async (_name, authorization) => {
    const { statusCode } = await api.app.inject({ url: '/v1/whoami', headers: { authorization } });
    expect([401, 431]).toContain(statusCode);
  });

  it('with another secret or another prefix are refused', async () => {
    const token = String((await issue(dev, { name: 'mine' })).body['token']);
    const [, id = ''] = token.split('_');
    expect(await whoami(`wst_${id}_${'A'.repeat(43)}`)).toBe(401);
    expect(await whoami(token.replace('wst_', 'wsa_'))).toBe(401);
  });

  it('of a person who was let go are refused', async () => {
    const gone = await api.person('gone', ['developer']);
    expect(await whoami(gone)).toBe(200);
    const change = { name: 'gone', email: null, teams: [], roles: ['developer'], disabled: true };
    const put = await api.request('PUT', '/v1/users/gone', {
      token: admin,
      body: change,
      headers: { 'if-match': '"1"' },
    });
    expect(put.status).toBe(200);
    expect(await whoami(gone)).toBe(401);
  });

  it('and what was done with them stand in the audit log', async () => {
    const { store } = api.control.control;
    const { items } = await store.audit.search({ kind: 'note' }, { limit: 100 });
    const actions = items.map(({ entry }) => entry.data?.['action']);
    expect(actions).toEqual(expect.arrayContaining(['token.issued', 'token.revoked', 'user.changed']));
  });
});
