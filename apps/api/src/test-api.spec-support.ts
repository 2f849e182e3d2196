import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { silentLogger } from '@wrongstack/contracts';
import { Authenticator, bearerOf } from './auth/authenticator.js';
import type { Principal, Role } from './auth/principal.js';
import { type ControlParts, type ControlPlace, openControl } from './control/open-control.js';
import { newCredential } from './identity/credential.js';
import { type ApplicationOptions, createApplication } from './create-application.js';
import { checkAnswer } from './http/answer-check.spec-support.js';
import { type Environment, readEnvironment } from './environment.js';
import type { ApiHost } from './host/api-host.js';
import { createHost } from './host/create-host.js';
import type { SpanProcessor } from './host/open-tracing.js';

/** Bash may echo, sleep and loop; nothing else is allowed without a person. */
const POLICY = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: server, revision: 1, scope: { tier: user } }
rules:
  - id: allow-bash
    effect: allow
    actions: [shell.arbitrary]
    when: { command: { argv: [[echo, sleep]] } }
    because: a test
`;

class Persons extends Authenticator {
  override async authenticate(authorization: string | undefined): Promise<Principal | null> {
    const user = bearerOf(authorization);
    return user === 'ada' || user === 'eve' ? person(user) : null;
  }
}

/** The time, until a test says otherwise. */
export class TestClock {
  #ahead = 0;

  now(): number {
    return Date.now() + this.#ahead;
  }

  forward(ms: number): void {
    this.#ahead += ms;
  }
}

function person(user: string): Principal {
  return {
    id: user,
    kind: 'user',
    org: 'acme',
    user,
    teams: [],
    roles: ['developer'],
    scopes: null,
    credential: { kind: 'static', id: user },
  };
}

/** What a spec wants otherwise. */
type EnvironmentPart = Partial<Omit<Environment, 'control'>> & { readonly control?: Partial<ControlPlace> };

/** The application over a home and a project of its own. */
export class TestApi {
  private constructor(
    readonly folder: string,
    readonly app: NestFastifyApplication,
    readonly host: ApiHost,
    readonly control: ControlParts,
    readonly clock: TestClock,
  ) {}

  static async start(
    part: EnvironmentPart = {},
    policy = POLICY,
    more: Partial<ApplicationOptions> & { readonly spans?: SpanProcessor } = {},
  ): Promise<TestApi> {
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'wstack-api-')));
    const environment = testEnvironment(folder, policy, part);
    const { spans = null, ...options } = more;
    const host = await createHost(environment, true, spans);
    const clock = new TestClock();
    const consoleDir = path.join(folder, 'console');
    const control = await openControl(environment.control, silentLogger, [new Persons()], clock);
    const app = await createApplication({ host, control, log: silentLogger, consoleDir, ...options });
    await app.init();
    return new TestApi(folder, app, host, control, clock);
  }

  async request(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    more: { user?: string | null; token?: string; body?: unknown; headers?: Record<string, string> } = {},
  ) {
    const { user = 'ada', body, headers = {} } = more;
    const token = more.token ?? user;
    const response = await this.app.inject({
      method,
      url,
      headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    });
    const type = String(response.headers['content-type'] ?? '');
    const json = /^application\/(problem\+)?json\b/.test(type);
    const said = /^application\/json/.test(type) ? response.json<unknown>() : undefined;
    checkAnswer(method, url, response.statusCode, said);
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      body: json ? response.json<Record<string, unknown>>() : {},
    };
  }

  /** A person with these roles and teams, and a token of theirs. */
  async person(id: string, roles: readonly Role[], teams: readonly string[] = []): Promise<string> {
    const { store } = this.control.control;
    const { id: tokenId, token, secretHash } = newCredential('wst');
    const at = new Date(this.clock.now()).toISOString();
    await store.identities.addUser({
      id,
      name: id,
      email: null,
      subject: null,
      teams,
      roles,
      createdAt: at,
      disabledAt: null,
    });
    await store.tokens.add({
      id: tokenId,
      kind: 'api',
      name: 'test',
      secretHash,
      principal: { id, kind: 'user' },
      teams: [],
      roles: [],
      scopes: ['*'],
      createdBy: id,
      createdAt: at,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
    });
    return token;
  }

  /** A machine of the person behind the token, and its access token. */
  async agent(token: string): Promise<{ readonly id: string; readonly token: string }> {
    const refreshHash = `sha256:${randomBytes(32).toString('hex')}`;
    const client = { name: 'wstack', version: '0.1.0', platform: 'linux-x64', host: 'laptop' };
    const { status, text, body } = await this.request('POST', '/v1/agents', {
      token,
      body: { client, refreshHash },
    });
    if (status !== 201) throw new Error(`no agent: ${text}`);
    const { id } = body['agent'] as { readonly id: string };
    return { id, token: String(body['accessToken']) };
  }

  /** In force for everybody; gives the revision. `token`: of an editor. */
  async publish(token: string, id: string, text: string): Promise<number> {
    const url = `/v1/policies/${id}`;
    const known = await this.request('GET', url, { token });
    const saved =
      known.status === 404
        ? await this.request('POST', '/v1/policies', { token, body: { text } })
        : await this.request('PUT', `${url}/draft`, {
            token,
            body: { text },
            headers: { 'if-none-match': '*' },
          });
    if (saved.status >= 300) throw new Error(`not saved: ${saved.text}`);
    const expectedRevision = Number(known.body['newestRevision'] ?? 0);
    const body = { expectedRevision, note: 'a test' };
    const published = await this.request('POST', `${url}/publications`, { token, body });
    if (published.status !== 201) throw new Error(`not published: ${published.text}`);
    return Number(published.body['revision']);
  }

  async stop(): Promise<void> {
    await this.app.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function testEnvironment(folder: string, policy: string, part: EnvironmentPart = {}): Environment {
  const agentHome = path.join(folder, 'home', '.wrongstack');
  const projectRoot = path.join(folder, 'project');
  mkdirSync(agentHome, { recursive: true });
  mkdirSync(projectRoot);
  writeFileSync(path.join(agentHome, 'policy.yaml'), policy);
  const { control, ...rest } = readEnvironment({
    PATH: process.env['PATH'],
    WRONGSTACK_HOME: agentHome,
    WRONGSTACK_PROJECT: projectRoot,
  });
  return {
    ...rest,
    home: path.join(folder, 'home'),
    ...part,
    control: { ...control, ...part.control },
  };
}
