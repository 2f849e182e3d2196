import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PostgresServer, postgresMissing } from '@wrongstack/adapters/store/testing';
import { TestApi } from '../test-api.spec-support.js';

jest.setTimeout(180_000);

const missing = postgresMissing(process.env['WRONGSTACK_REQUIRE_POSTGRES'] === '1');
if (missing !== null) process.stderr.write(`\n${missing}\n`);
const describeHere = missing === null ? describe : describe.skip;

const POLICY = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: all, revision: 1, scope: { tier: org } }
rules:
  - { id: no, effect: deny, actions: [net.outbound], because: a test }
`;

describeHere('while the database is away', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'wstack-away-'));
  let server: PostgresServer;
  let api: TestApi;
  let ed: string;
  beforeAll(async () => {
    server = await PostgresServer.start();
    api = await TestApi.start({
      control: {
        databaseUrl: await server.database(),
        folder,
        organisation: 'acme',
        url: 'http://127.0.0.1',
        sealKey: null,
      },
    });
    ed = await api.person('ed', ['policyEditor']);
  });
  afterAll(async () => {
    await api.stop();
    await server.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const call = (method: 'GET' | 'POST', url: string, body?: unknown, headers: Record<string, string> = {}) =>
    api.request(method, `/v1${url}`, { token: ed, headers, ...(body === undefined ? {} : { body }) });

  it('every route says so and for how long, nobody gets in unasked, and all goes on by itself afterwards', async () => {
    const made = await call('POST', '/policies', { text: POLICY });
    expect(made.status).toBe(201);
    await server.down();

    const publish = () =>
      call('POST', '/policies/all/publications', { expectedRevision: 0 }, { 'idempotency-key': 'one' });
    for (const answer of [await call('GET', '/policies'), await publish(), await call('GET', '/whoami')]) {
      expect([answer.status, answer.body['code']]).toEqual([503, 'store.unavailable']);
      expect(answer.headers['content-type']).toContain('application/problem+json');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect(answer.text).not.toContain('postgres:');
    }
    expect((await api.request('GET', '/healthz', { user: null })).status).toBe(200);
    const ready = () => api.request('GET', '/readyz', { user: null });
    expect(await ready()).toMatchObject({ status: 503, body: { problems: [{ path: 'store' }] } });
    expect((await api.request('GET', '/v1/policies', { user: null })).status).toBe(401);

    await server.up();
    expect((await ready()).status).toBe(200);
    expect((await call('GET', '/policies')).body['items']).toMatchObject([
      { id: 'all', activeRevision: null },
    ]);
    const published = await publish();
    expect([published.status, published.body['state']]).toEqual([201, 'active']);
    const again = await publish();
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
  });

  it('a replay waits for it, and ends as if nothing had been', async () => {
    const { body } = await call('POST', '/policies/all/replays', { text: POLICY });
    await server.down();
    await server.up();
    let state = '';
    for (let tries = 0; state !== 'done' && tries < 600; tries += 1) {
      state = String((await call('GET', `/replays/${String(body['id'])}`)).body['state']);
      if (state !== 'done') await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(state).toBe('done');
  });
});
