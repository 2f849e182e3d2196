import type { ChildProcess } from 'node:child_process';
import { TestApi } from '../test-api.spec-support.js';
import {
  freePort,
  newProviderKey,
  startProvider,
  stopProvider,
} from '../identity/identity-provider.spec-support.js';
import { Browser } from './browser.spec-support.js';
import { consolePath } from './oidc-sign-in.js';

jest.setTimeout(120_000);

const SECRET = 'console-secret-console-secret-console';
const CLIENT = 'wrongstack console';
const PEOPLE = {
  mira: { secret: 'x'.repeat(32), claims: { name: 'mira', groups: ['policy'] } },
  root: { secret: 'x'.repeat(32), claims: { name: 'root', groups: ['policy'] } },
};

describe('signing in at an identity provider', () => {
  let api: TestApi;
  let provider: ChildProcess;
  let issuer: string;
  let root: string;

  beforeAll(async () => {
    const port = await freePort();
    issuer = `http://127.0.0.1:${port}`;
    const redirectUri = 'http://localhost:3000/v1/session/oidc/callback';
    provider = await startProvider({
      port,
      audience: 'https://wrongstack.example',
      keys: [newProviderKey('k1')],
      people: PEOPLE,
      console: { clientId: CLIENT, secret: SECRET, redirectUri },
    });
    api = await TestApi.start({ control: { oidcClientSecret: SECRET } });
    root = await api.person('root', ['admin', 'auditor']);
    await put('/v1/group-mappings', {
      mappings: [{ group: 'policy', teams: ['payments'], roles: ['policyEditor'] }],
    });
    await put('/v1/settings', { fourEyes: false, haltOnDenials: null, oidc: settings(CLIENT) });
    // Settings are remembered for some seconds.
    api.clock.forward(10_000);
  });
  afterAll(async () => {
    await stopProvider(provider);
    await api.stop();
  });

  const settings = (clientId: string | null) => ({
    ...{ issuer, audience: 'https://wrongstack.example', clientId },
    ...{ userClaim: 'name', groupsClaim: 'groups' },
  });

  async function put(url: string, body: unknown) {
    const { headers } = await api.request('GET', url, { token: root });
    const tag = { 'if-match': String(headers['etag']) };
    expect((await api.request('PUT', url, { token: root, body, headers: tag })).status).toBe(200);
  }

  /** To the provider and through its pages, as a browser goes. Gives the address at which it comes back. */
  async function visit(location: string, as: string): Promise<string> {
    const jar = new Map<string, string>();
    for (let url = location; ;) {
      const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
      const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
      for (const set of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        jar.set(name, value);
      }
      const next = answer.headers.get('location');
      if (next === null) throw new Error(`the provider said ${answer.status}: ${await answer.text()}`);
      const to = new URL(next, url);
      if (to.origin !== issuer) return to.pathname + to.search;
      if (to.pathname.startsWith('/person/')) to.searchParams.set('as', as);
      url = to.href;
    }
  }

  const start = async (browser: Browser, returnTo = '/console/approvals') => {
    const answer = await browser.request('GET', `/v1/session/oidc/start?returnTo=${returnTo}`);
    expect(answer.status).toBe(303);
    return String(answer.headers['location']);
  };
  /** The provider sends the browser back: a navigation from another site. */
  const comeBack = async (browser: Browser, url: string) => {
    const { status, headers } = await browser.request('GET', url, {
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    return { status, location: String(headers['location']) };
  };

  it('is offered where it is set up', async () => {
    const { body } = await new Browser(api).request('GET', '/v1/session/sign-in');
    expect(body).toEqual({
      organisation: 'default',
      token: true,
      oidc: { issuer, start: '/v1/session/oidc/start' },
    });
  });

  it('makes a session with the roles and teams of one’s groups, where one wanted to go', async () => {
    const browser = new Browser(api);
    const location = await start(browser);
    const asked = new URL(location).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid profile groups',
    });
    const back = await comeBack(browser, await visit(location, 'mira'));
    expect(back).toEqual({ status: 303, location: '/console/approvals' });
    expect([...browser.cookies.keys()]).toEqual(['wrongstack']);
    const { body } = await browser.request('GET', '/v1/session');
    expect(body).toMatchObject({
      user: { id: 'mira', kind: 'user' },
      roles: ['policyEditor'],
      teams: ['payments'],
    });
    // What a group means counts from the next request on, also for who has signed in.
    await put('/v1/group-mappings', { mappings: [{ group: 'policy', teams: [], roles: ['auditor'] }] });
    expect((await browser.request('GET', '/v1/session')).body).toMatchObject({
      roles: ['auditor'],
      teams: [],
    });
  });

  it('is done by the browser that began it, and once', async () => {
    const victim = new Browser(api);
    const attacker = new Browser(api);
    const url = await visit(await start(attacker), 'mira');
    // Login CSRF: the attacker's answer in somebody else's browser.
    const failed = { status: 303, location: '/console/sign-in?error=session.oidc_state' };
    expect(await comeBack(victim, url)).toEqual(failed);
    await start(victim);
    expect(await comeBack(victim, url)).toEqual(failed);
    expect(victim.cookies.size).toBe(0);
    const kept = attacker.cookies.get('wrongstack-sign-in') ?? '';
    expect((await comeBack(attacker, url)).location).toBe('/console/approvals');
    attacker.cookies.set('wrongstack-sign-in', kept);
    expect((await comeBack(attacker, url)).location).toBe('/console/sign-in?error=session.oidc_failed');
  });

  it.each<[string, (url: URL) => void, string]>([
    ['with another state', (url) => url.searchParams.set('state', 'x'), 'session.oidc_state'],
    [
      'from another issuer',
      (url) => url.searchParams.set('iss', 'https://other.example'),
      'session.oidc_state',
    ],
    ['with a code that is none', (url) => url.searchParams.set('code', 'x'), 'session.oidc_failed'],
    ['without a code', (url) => url.searchParams.delete('code'), 'session.oidc_denied'],
  ])('fails for an answer %s', async (_name, change, code) => {
    const browser = new Browser(api);
    const url = new URL(await visit(await start(browser), 'mira'), 'http://localhost:3000');
    change(url);
    const back = await comeBack(browser, url.pathname + url.search);
    expect(back).toEqual({ status: 303, location: `/console/sign-in?error=${code}` });
    expect(browser.cookies.size).toBe(0);
  });

  it('says when the provider lets nobody in, and when nobody of that name may come in here', async () => {
    const browser = new Browser(api);
    const denied = await comeBack(browser, await visit(await start(browser), 'nobody'));
    expect(denied.location).toBe('/console/sign-in?error=session.oidc_denied');
    // `root` is somebody of our own already, whom the provider's root is not.
    const taken = await comeBack(browser, await visit(await start(browser), 'root'));
    expect(taken.location).toBe('/console/sign-in?error=session.oidc_unknown_person');
  });

  it('ends when the person is disabled, or the organisation trusts the provider no longer', async () => {
    const browser = new Browser(api);
    await comeBack(browser, await visit(await start(browser), 'mira'));
    expect((await browser.request('GET', '/v1/session')).status).toBe(200);
    await put('/v1/settings', { fourEyes: false, haltOnDenials: null, oidc: null });
    api.clock.forward(10_000);
    expect((await browser.request('GET', '/v1/session')).body['code']).toBe('session.ended');
    expect(await start(new Browser(api))).toBe('/console/sign-in?error=session.oidc_off');
  });
});

it.each<[unknown, string]>([
  ['/console/policies/payments?tab=diff', '/console/policies/payments?tab=diff'],
  ['/console', '/console'],
  ['//evil.example', '/console/'],
  ['https://evil.example/console/', '/console/'],
  ['/console//evil.example', '/console/'],
  ['/console/..%2f', '/console/..%2f'],
  ['/console/\\evil.example', '/console/'],
  ['/consoleevil', '/console/'],
  ['/console/\r\nset-cookie: x', '/console/'],
  [undefined, '/console/'],
])('comes back from %j to %j', (wanted, path) => {
  expect(consolePath(wanted)).toBe(path);
});
