import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLogger } from '@wrongstack/contracts';
import { redisMissing, RedisServer } from '@wrongstack/adapters/testing';
import { type Environment, readEnvironment } from '../environment.js';
import { TestApi, testEnvironment } from '../test-api.spec-support.js';
import { createHost } from './create-host.js';
import { chooseDriver, openRateLimiter } from './open-shared.js';

jest.setTimeout(60_000);

describe('who runs the tasks of an API', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'wstack-driver-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const driver = (config: unknown, env: NodeJS.ProcessEnv, project: unknown = {}): Promise<string> => {
    writeFileSync(path.join(folder, 'config.json'), JSON.stringify(config));
    mkdirSync(path.join(folder, 'project/.wrongstack'), { recursive: true });
    writeFileSync(path.join(folder, 'project/.wrongstack/config.json'), JSON.stringify(project));
    const places = { WRONGSTACK_HOME: folder, WRONGSTACK_PROJECT: path.join(folder, 'project') };
    return chooseDriver(readEnvironment({ ...places, ...env }));
  };
  const REDIS = { REDIS_URL: 'redis://127.0.0.1:1' };
  const tasks = (name: string) => ({ tasks: { driver: name } });

  it('follows from REDIS_URL where nobody says', async () => {
    expect(await driver({}, {})).toBe('local');
    expect(await driver({}, REDIS)).toBe('redis');
  });

  it('is what the own configuration says, and TASKS_DRIVER over it', async () => {
    expect(await driver(tasks('local'), REDIS)).toBe('local');
    expect(await driver(tasks('redis'), REDIS)).toBe('redis');
    expect(await driver(tasks('redis'), { ...REDIS, TASKS_DRIVER: 'local' })).toBe('local');
    expect(await driver(tasks('local'), { ...REDIS, TASKS_DRIVER: 'redis' })).toBe('redis');
  });

  it('is nothing that the project has a say in', async () => {
    expect(await driver({}, {}, tasks('redis'))).toBe('local');
    expect(await driver({}, REDIS, tasks('local'))).toBe('redis');
  });

  it.each([
    [
      'redis without an address',
      tasks('redis'),
      {},
      'api.no_redis',
      /tasks\.driver in .*config\.json is redis/,
    ],
    ['the same by environment', {}, { TASKS_DRIVER: 'redis' }, 'api.no_redis', /TASKS_DRIVER is redis/],
    ['a driver that is none', tasks('kafka'), REDIS, 'config.invalid', /driver/],
    ['a misspelt key', { tasks: { drver: 'local' } }, REDIS, 'config.invalid', /drver/],
  ])('is refused: %s', async (_what, config, env, code, message) => {
    await expect(driver(config, env)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });
});

const missing = redisMissing(process.env);
const withRedis = missing === null ? describe : describe.skip;
if (missing !== null) it.skip(missing, () => undefined);

withRedis('rate limits of policies, where there is a Redis', () => {
  const POLICY = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: server, revision: 1, scope: { tier: user } }
rules:
  - id: allow-echo
    effect: allow
    actions: [shell.arbitrary]
    when: { command: { argv: [[echo]] } }
    because: a test
  - id: few
    effect: oblige
    actions: ["*"]
    because: not so fast
    obligations: [{ rateLimit: { max: 2, perSeconds: 60, key: user } }]
`;
  let server: RedisServer;
  beforeEach(async () => {
    server = await RedisServer.start();
  });
  afterEach(() => server.remove());
  const start = (): Promise<TestApi> => {
    const part: Partial<Environment> = { redisUrl: server.url, tasksDriver: 'local' };
    return TestApi.start(part, POLICY);
  };
  const echo = async (api: TestApi): Promise<{ status: number; text: string }> =>
    api.request('POST', '/v1/tools/bash/calls', { body: { input: { command: 'echo x' } } });

  it('are counted for all replicas together, and deny while Redis is away', async () => {
    const replicas = [await start(), await start()] as const;
    try {
      expect((await echo(replicas[0])).status).toBe(200);
      expect((await echo(replicas[1])).status).toBe(200);
      const third = await echo(replicas[0]);
      expect(third.status).toBe(403);
      expect(third.text).toContain('rate limit of rule few: 2 per 60 s are used up');
      await server.down();
      const fourth = await echo(replicas[1]);
      expect(fourth.status).toBe(403);
      expect(fourth.text).toContain('rate limit of rule few cannot be counted: Redis did not count');
    } finally {
      for (const api of replicas) await api.stop();
    }
  });

  it('leave nothing behind that keeps the process alive', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'wstack-limits-'));
    const environment = testEnvironment(folder, POLICY, { redisUrl: server.url, tasksDriver: 'local' });
    const limiter = await openRateLimiter(environment, silentLogger);
    limiter.close?.();
    await expect(limiter.take('k', 1, 1, 0)).rejects.toMatchObject({ code: 'rate_limit.unavailable' });
    const host = await createHost(environment, false);
    await host.close(0);
    rmSync(folder, { recursive: true, force: true });
  });
});
