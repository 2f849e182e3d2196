import { RedisServer, redisMissing } from '@wrongstack/adapters/testing';
import { TestApi } from '../test-api.spec-support.js';

jest.setTimeout(60_000);

describe('/v1/queues without a queue on Redis', () => {
  it('says so to an admin', async () => {
    const api = await TestApi.start();
    try {
      const token = await api.person('root', ['admin']);
      const { status, headers, body } = await api.request('GET', '/v1/queues', { token });
      expect([status, headers['content-type'], body['code']]).toEqual([
        404,
        expect.stringContaining('application/problem+json'),
        'queues.none',
      ]);
    } finally {
      await api.stop();
    }
  });
});

const missing = redisMissing(process.env);

(missing === null ? describe : describe.skip)('/v1/queues over Redis', () => {
  let redis: RedisServer;
  let api: TestApi;
  let admin: string;
  beforeAll(async () => {
    redis = await RedisServer.start();
    api = await TestApi.start({ redisUrl: redis.url });
    admin = await api.person('root', ['admin']);
  });
  afterAll(async () => {
    await api.stop();
    await redis.remove();
  });

  it.each([
    '/v1/queues',
    '/v1/queues/',
    '/v1/queues/api/queues',
    '/v1/queues/static/favicon.ico',
    '/v1/queues/queue/tasks',
  ])('shows %s to admins and to nobody else', async (url) => {
    expect((await api.request('GET', url, { token: admin })).status).toBe(200);
    expect((await api.request('GET', url, { user: null })).status).toBe(401);
    const rest = ['policyEditor', 'approver', 'auditor', 'developer'] as const;
    const token = await api.person(`${url}-rest`.replaceAll('/', '-'), rest);
    expect((await api.request('GET', url, { token })).status).toBe(403);
  });

  it('is found at /queues as well', async () => {
    const { status, headers } = await api.request('GET', '/queues', { user: null });
    expect([status, headers['location']]).toEqual([302, '/v1/queues']);
  });

  it('shows which task waits, and neither its command nor its secrets', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const body = {
      input: { command: `echo ${secret} hush`, run_in_background: true },
      delayMs: 3_600_000,
    };
    const queued = await api.request('POST', '/v1/tools/bash/calls', { body });
    const { id } = queued.body['task'] as { readonly id: string };
    const { status, text } = await api.request(
      'GET',
      '/v1/queues/api/queues?activeQueue=tasks&status=delayed&page=1',
      {
        token: admin,
      },
    );
    expect(status).toBe(200);
    expect(text).toContain(id);
    expect(text).not.toMatch(/hush|ghp_/);
  });

  it.each([
    ['PUT', '/v1/queues/api/queues/pause'],
    ['PUT', '/v1/queues/api/queues/tasks/pause'],
    ['PUT', '/v1/queues/api/queues/tasks/promote'],
    ['PUT', '/v1/queues/api/queues/tasks/obliterate'],
    ['POST', '/v1/queues/api/queues/tasks/add'],
    ['DELETE', '/v1/queues/api/queues/tasks/t-1'],
  ] as const)('has no %s %s, for admins either', async (method, url) => {
    const { status } = await api.request(method, url, { token: admin, body: {} });
    expect(status).toBe(404);
  });

  it('is a page that loads nothing from elsewhere and keeps to the policy for scripts', async () => {
    const { headers, text } = await api.request('GET', '/v1/queues', { token: admin });
    expect(headers['content-security-policy']).toContain("script-src 'self';");
    expect(headers['cache-control']).toBe('no-store');
    expect(text).not.toMatch(/<script(?![^>]*(?: src=|type="application\/json"))/);
    const unknown = await api.request('GET', '/v1/queues/api/queues/nothing/workers', { token: admin });
    expect([unknown.status, unknown.body['code']]).toEqual([404, 'queues.unknown']);
  });

  it('says that Redis is away, and shows the queues again with it', async () => {
    redis.signal('SIGSTOP');
    try {
      const { status, body } = await api.request('GET', '/v1/queues/api/queues', { token: admin });
      expect([status, body['code']]).toEqual([503, 'task.queue_unavailable']);
    } finally {
      redis.signal('SIGCONT');
    }
    expect((await api.request('GET', '/v1/queues/api/queues', { token: admin })).status).toBe(200);
  });
});
