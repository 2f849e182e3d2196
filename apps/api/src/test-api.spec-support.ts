import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { silentLogger } from '@wrongstack/contracts';
import { Authenticator, bearerOf } from './auth/authenticator.js';
import type { Principal } from './auth/principal.js';
import { type ApplicationOptions, createApplication } from './create-application.js';
import { type Environment, readEnvironment } from './environment.js';
import type { ApiHost } from './host/api-host.js';
import { createHost } from './host/create-host.js';

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

/** The application over a home and a project of its own. */
export class TestApi {
  private constructor(
    readonly folder: string,
    readonly app: NestFastifyApplication,
    readonly host: ApiHost,
  ) {}

  static async start(
    part: Partial<Environment> = {},
    policy = POLICY,
    more: Partial<ApplicationOptions> = {},
  ): Promise<TestApi> {
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'wstack-api-')));
    const environment = testEnvironment(folder, policy, part);
    const host = await createHost(environment, true);
    const app = await createApplication({ host, authenticator: new Persons(), log: silentLogger, ...more });
    await app.init();
    return new TestApi(folder, app, host);
  }

  async request(
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    more: { user?: string | null; body?: unknown; headers?: Record<string, string> } = {},
  ) {
    const { user = 'ada', body, headers = {} } = more;
    const response = await this.app.inject({
      method,
      url,
      headers: { ...(user === null ? {} : { authorization: `Bearer ${user}` }), ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    });
    const json = response.headers['content-type']?.toString().includes('json') === true;
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      body: json ? response.json<Record<string, unknown>>() : {},
    };
  }

  async stop(): Promise<void> {
    await this.app.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function testEnvironment(
  folder: string,
  policy: string,
  part: Partial<Environment> = {},
): Environment {
  const agentHome = path.join(folder, 'home', '.wrongstack');
  const projectRoot = path.join(folder, 'project');
  mkdirSync(agentHome, { recursive: true });
  mkdirSync(projectRoot);
  writeFileSync(path.join(agentHome, 'policy.yaml'), policy);
  return {
    ...readEnvironment({
      PATH: process.env['PATH'],
      WRONGSTACK_HOME: agentHome,
      WRONGSTACK_PROJECT: projectRoot,
    }),
    home: path.join(folder, 'home'),
    ...part,
  };
}
