import { CREATE_EXAMPLE } from '../approvals/approval-examples.js';
import { TestApi } from '../test-api.spec-support.js';

jest.setTimeout(60_000);

const PATHS = ['v1/tasks', 'v1/approvals', 'v1/audit/records', 'v1/audit/export', 'v1/fleet', 'v1/overview'];
const SPELLINGS: readonly ((path: string) => string)[] = [
  (path) => `/${path}`,
  (path) => `//${path}`,
  (path) => `/${path}/`,
  (path) => `/${path.toUpperCase()}`,
  (path) => `/${path.replace('/', '%2f')}`,
  (path) => `/./${path}`,
  (path) => `/public/../${path}`,
  (path) => `/${path};a=b`,
  (path) => `/${path}%00`,
];

describe('who is let through', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await TestApi.start();
  });
  afterAll(() => api.stop());

  it.each(PATHS)('is asked at every spelling of /%s', async (path) => {
    for (const spell of SPELLINGS) {
      const { statusCode } = await api.app.inject({ url: spell(path) });
      expect([spell(path), [400, 401, 404].includes(statusCode)]).toEqual([spell(path), true]);
    }
  });

  it.each([
    ['x-user', 'root'],
    ['x-forwarded-user', 'root'],
    ['x-original-url', '/healthz'],
    ['x-http-method-override', 'GET'],
    ['cookie', 'session=root'],
    ['proxy-authorization', 'Bearer ada'],
  ])('does not depend on the header %s', async (name, value) => {
    const { statusCode } = await api.app.inject({ url: '/v1/approvals', headers: { [name]: value } });
    expect(statusCode).toBe(401);
  });

  it('is asked about the very thing, never about its kind: what is one’s own opens nothing of others', async () => {
    const dana = await api.person('dana', ['developer'], ['payments']);
    const eve = await api.person('eve', ['developer'], ['payments']);
    const asked = await api.request('POST', '/v1/approvals', { token: dana, body: CREATE_EXAMPLE });
    const url = `/v1/approvals/${String(asked.body['id'])}`;
    const use = { digest: CREATE_EXAMPLE.digest, use: 'u' };
    const others = [
      await api.request('GET', url, { token: eve }),
      await api.request('DELETE', url, { token: eve }),
      await api.request('POST', `${url}/use`, { token: eve, body: use }),
    ];
    const none = [
      await api.request('GET', '/v1/approvals/ap-none00000000', { token: eve }),
      await api.request('DELETE', '/v1/approvals/ap-none00000000', { token: eve }),
      await api.request('POST', '/v1/approvals/ap-none00000000/use', { token: eve, body: use }),
    ];
    const said = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
      status,
      body['code'],
    ];
    // Not even whether it is there.
    expect(others.map(said)).toEqual(none.map(said));
    expect(others.map(said)).toEqual(Array(3).fill([404, 'approval.unknown']));
    expect(
      (await api.request('POST', `${url}/decisions`, { token: eve, body: { decision: 'approve' } })).status,
    ).toBe(403);
    const scoped = await api.request('POST', '/v1/tokens', {
      token: dana,
      body: { name: 'reader', scopes: ['read:Approval'] },
    });
    const reader = String(scoped.body['token']);
    expect((await api.request('GET', url, { token: reader })).status).toBe(200);
    expect((await api.request('DELETE', url, { token: reader })).status).toBe(403);
  });

  it('is never an admin’s right from a machine on which a model works', async () => {
    const root = await api.person('root', ['admin', 'developer']);
    const machine = await api.agent(root);
    expect((await api.request('GET', '/v1/users', { token: root })).status).toBe(200);
    expect((await api.request('GET', '/v1/users', { token: machine.token })).status).toBe(403);
    const settings = await api.request('GET', '/v1/settings', { token: machine.token });
    expect(settings.status).toBe(403);
  });
});
