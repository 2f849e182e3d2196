import type { ChildProcess } from 'node:child_process';
import { createHmac, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { TestApi } from '../test-api.spec-support.js';
import {
  freePort,
  newProviderKey,
  type ProviderKey,
  startProvider,
  stopProvider,
} from './identity-provider.spec-support.js';

jest.setTimeout(120_000);

const AUDIENCE = 'https://wrongstack.example';
const PEOPLE = {
  mira: {
    secret: 'mira-secret-mira-secret-mira-secret',
    claims: { name: 'mira', groups: ['eng-payments', 'policy'] },
  },
  olaf: { secret: 'olaf-secret-olaf-secret-olaf-secret', claims: { name: 'olaf', groups: 'eng-payments' } },
};

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token as somebody could make one who has a key, the right one or another. */
function forge(
  header: Record<string, unknown>,
  claims: Record<string, unknown>,
  seal: (text: string) => Buffer | null,
): string {
  const text = `${part(header)}.${part(claims)}`;
  return `${text}.${seal(text)?.toString('base64url') ?? ''}`;
}

const rsa = (key: KeyObject) => (text: string) => sign('sha256', Buffer.from(text), key);

describe('people of an identity provider', () => {
  const first = newProviderKey('k1');
  let api: TestApi;
  let provider: ChildProcess;
  let port: number;
  let issuer: string;

  beforeAll(async () => {
    port = await freePort();
    issuer = `http://127.0.0.1:${port}`;
    provider = await withKeys([first]);
    api = await TestApi.start();
    const root = await api.person('root', ['admin']);
    await put(root, '/v1/group-mappings', {
      mappings: [
        { group: 'eng-payments', teams: ['payments'], roles: ['developer'] },
        { group: 'policy', teams: [], roles: ['policyEditor'] },
        { group: 'admins', teams: [], roles: ['admin'] },
      ],
    });
    const { body } = await api.request('GET', '/v1/settings', { token: root });
    await put(root, '/v1/settings', {
      ...body,
      oidc: { issuer, audience: AUDIENCE, userClaim: 'name', groupsClaim: 'groups' },
    });
  });
  afterAll(async () => {
    await stopProvider(provider);
    await api.stop();
  });

  async function put(token: string, url: string, body: unknown) {
    const { headers } = await api.request('GET', url, { token });
    const answer = await api.request('PUT', url, {
      token,
      body,
      headers: { 'if-match': String(headers['etag']) },
    });
    expect(answer.status).toBe(200);
  }

  const withKeys = (keys: readonly ProviderKey[]) =>
    startProvider({ port, audience: AUDIENCE, keys, people: PEOPLE });

  /** As the provider itself issues it. */
  async function tokenOf(id: keyof typeof PEOPLE, resource = AUDIENCE): Promise<string> {
    const answer = await fetch(`${issuer}/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${id}:${PEOPLE[id].secret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'api', resource }),
    });
    const { access_token: token } = (await answer.json()) as { access_token?: string };
    if (token === undefined) throw new Error(`the identity provider gave no token: ${answer.status}`);
    return token;
  }

  const who = async (token: string) => {
    const { status, body } = await api.request('GET', '/v1/whoami', { token });
    return { status, ...(body['principal'] as { id: string; teams: string[]; roles: string[] } | undefined) };
  };

  const seconds = () => Math.floor(Date.now() / 1000);
  const claims = (more: Record<string, unknown> = {}) => ({
    iss: issuer,
    aud: AUDIENCE,
    sub: 'mira',
    name: 'mira',
    groups: ['eng-payments'],
    iat: seconds(),
    exp: seconds() + 300,
    ...more,
  });
  const signed = (more: Record<string, unknown> = {}, header: Record<string, unknown> = {}, key = first) =>
    forge({ alg: 'RS256', kid: key.jwk.kid, typ: 'JWT', ...header }, claims(more), rsa(key.key));

  it('come in by a token of the provider, with the teams and roles of their groups', async () => {
    expect(await who(await tokenOf('mira'))).toMatchObject({
      status: 200,
      id: 'mira',
      teams: ['payments'],
      roles: ['policyEditor', 'developer'],
    });
  });

  it('get nothing from a claim of groups that is no list', async () => {
    expect(await who(await tokenOf('olaf'))).toMatchObject({ status: 200, id: 'olaf', teams: [], roles: [] });
  });

  it('are the same people whose own signature the specs can make', async () => {
    // So that what is refused below is refused for the reason that is named.
    expect((await who(signed())).status).toBe(200);
  });

  it.each<[string, () => string | Promise<string>]>([
    ['for another audience', () => tokenOf('mira', 'https://elsewhere.example')],
    ['of another issuer', () => signed({ iss: 'https://idp.elsewhere.example' })],
    ['of the issuer with a slash', () => signed({ iss: `${issuer}/` })],
    ['that has expired', () => signed({ iat: seconds() - 600, exp: seconds() - 61 })],
    ['that is not valid yet', () => signed({ nbf: seconds() + 120 })],
    ['issued in the future', () => signed({ iat: seconds() + 120 })],
    ['that never ends', () => signed({ exp: undefined })],
    ['that does not say when it was made', () => signed({ iat: undefined })],
    ['issued longer ago than a day', () => signed({ iat: seconds() - 25 * 3600 })],
    ['without a subject', () => signed({ sub: undefined })],
    ['without the claim that names the person', () => signed({ name: undefined })],
    ['with a name that is no id', () => signed({ sub: 'x', name: '../root' })],
    [
      'signed by another key under a known name',
      () => forge({ alg: 'RS256', kid: 'k1' }, claims(), rsa(newProviderKey('k1').key)),
    ],
    [
      'with a key of its own in its header',
      () => {
        const other = newProviderKey('k9');
        return forge(
          { alg: 'RS256', jwk: createPublicKey(other.key).export({ format: 'jwk' }) },
          claims(),
          rsa(other.key),
        );
      },
    ],
    ...[
      ['jku', 'https://elsewhere.example/keys'],
      ['x5u', 'https://elsewhere.example/cert.pem'],
      ['x5c', [Buffer.from('no certificate').toString('base64')]],
    ].map(([name, value]): [string, () => string] => [
      `that says in ${String(name)} where its key is`,
      () => {
        const other = newProviderKey('k8');
        return forge({ alg: 'RS256', kid: 'k8', [String(name)]: value }, claims(), rsa(other.key));
      },
    ]),
    ...['../../../dev/null', "k1' or '1'='1", 'k1\u0000', '', 'constructor', '__proto__'].map(
      (kid): [string, () => string] => [
        `whose kid is ${JSON.stringify(kid)}`,
        () => forge({ alg: 'RS256', kid }, claims(), rsa(newProviderKey('k7').key)),
      ],
    ),
    ['with alg none', () => forge({ alg: 'none' }, claims(), () => null)],
    ['with alg None and a signature', () => signed({}, { alg: 'None' })],
    [
      'with HS256 under the public key',
      () => {
        const pem = createPublicKey(first.key).export({ format: 'pem', type: 'spki' });
        return forge({ alg: 'HS256', kid: 'k1' }, claims(), (text) =>
          createHmac('sha256', pem).update(text).digest(),
        );
      },
    ],
    [
      'with HS256 under the public key as JWK',
      () => {
        const jwk = JSON.stringify(createPublicKey(first.key).export({ format: 'jwk' }));
        return forge({ alg: 'HS256', kid: 'k1' }, claims(), (text) =>
          createHmac('sha256', jwk).update(text).digest(),
        );
      },
    ],
    [
      'with claims that were changed after it was signed',
      () => {
        const [header, , signature] = signed().split('.');
        return `${String(header)}.${part(claims({ groups: ['admins'] }))}.${String(signature)}`;
      },
    ],
    ['with a critical header that nobody knows', () => signed({}, { crit: ['x'], x: 1 })],
    ['of three empty parts', () => '..'],
  ])('do not come in by a token %s', async (_name, make) => {
    const { status } = await who(await make());
    expect(status).toBe(401);
  });

  it('may have a clock that is a minute off, and not more', async () => {
    expect((await who(signed({ iat: seconds() - 600, exp: seconds() - 30 }))).status).toBe(200);
    expect((await who(signed({ iat: seconds() + 30 }))).status).toBe(200);
    expect((await who(signed({ nbf: seconds() + 30 }))).status).toBe(200);
  });

  it('do not become somebody who is here already by taking their name', async () => {
    expect((await who(signed({ sub: 'somebody-else', name: 'root' }))).status).toBe(401);
  });

  it('stay out from the moment they are disabled', async () => {
    const token = await tokenOf('olaf');
    expect((await who(token)).status).toBe(200);
    const root = await api.person('root2', ['admin']);
    const { items } = (await api.request('GET', '/v1/users', { token: root })).body as {
      items: { id: string; etag: number }[];
    };
    const etag = items.find(({ id }) => id === 'olaf')?.etag;
    const disabled = await api.request('PUT', '/v1/users/olaf', {
      token: root,
      body: { name: 'olaf', email: null, teams: [], roles: [], disabled: true },
      headers: { 'if-match': `"${String(etag)}"` },
    });
    expect(disabled.status).toBe(200);
    expect((await who(token)).status).toBe(401);
    expect((await who(await tokenOf('olaf'))).status).toBe(401);
  });

  it('come in by a new key of the provider, and no longer by the one before', async () => {
    const old = signed();
    expect((await who(old)).status).toBe(200);
    const second = newProviderKey('k2');
    await stopProvider(provider);
    provider = await withKeys([second]);
    // The keys are asked for again when a token names one that is unknown, at most every few seconds.
    let status = 0;
    for (let tries = 0; status !== 200 && tries < 40; tries += 1) {
      status = (await who(await tokenOf('mira'))).status;
      if (status !== 200) await new Promise((resolve) => setTimeout(resolve, 500));
    }
    expect(status).toBe(200);
    expect((await who(old)).status).toBe(401);
  });

  it('come in by keys that are known while the provider is away', async () => {
    const token = await tokenOf('mira');
    expect((await who(token)).status).toBe(200);
    await stopProvider(provider);
    expect((await who(token)).status).toBe(200);
    expect((await who(signed({}, {}, newProviderKey('k3')))).status).toBe(401);
    provider = await withKeys([newProviderKey('k4')]);
  });
});
