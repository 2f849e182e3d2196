import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RedisServer, redisMissing } from '@wrongstack/adapters/testing';
import { PostgresServer, postgresMissing } from '@wrongstack/adapters/store/testing';
import { CREATE_EXAMPLE } from '../approvals/approval-examples.js';
import { ClientLog, decisionEntry } from '../audit/audit-batches.spec-support.js';
import { TestApi } from '../test-api.spec-support.js';

jest.setTimeout(180_000);

const missing =
  postgresMissing(process.env['WRONGSTACK_REQUIRE_POSTGRES'] === '1') ?? redisMissing(process.env);
if (missing !== null) process.stderr.write(`\n${missing}\n`);
const describeHere = missing === null ? describe : describe.skip;

const POLICY = (because: string) => `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: acme, revision: 1, scope: { tier: org } }
rules:
  - { id: nothing, effect: deny, actions: ['*'], when: { tool: [never] }, because: ${because} }
`;

describeHere('two replicas over one PostgreSQL and one Redis', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'wstack-replicas-'));
  let postgres: PostgresServer;
  let redis: RedisServer;
  let one: TestApi;
  let other: TestApi;
  let dana: string;
  let olga: string;
  let root: string;
  beforeAll(async () => {
    [postgres, redis] = await Promise.all([PostgresServer.start(), RedisServer.start()]);
    const databaseUrl = await postgres.database();
    const replica = () =>
      TestApi.start({
        redisUrl: redis.url,
        control: { databaseUrl, folder, organisation: 'acme', url: 'http://127.0.0.1', sealKey: null },
      });
    one = await replica();
    other = await replica();
    dana = await one.person('dana', ['developer'], ['payments']);
    olga = await one.person('olga', ['approver'], ['platform-oncall']);
    root = await one.person('root', ['admin', 'policyEditor', 'auditor']);
  });
  afterAll(async () => {
    await Promise.all([one.stop(), other.stop()]);
    await Promise.all([postgres.remove(), redis.remove()]);
    rmSync(folder, { recursive: true, force: true });
  });

  it('tell whoever waits at the one what was decided at the other, and let it be used once', async () => {
    const body = { ...CREATE_EXAMPLE, approvers: { ...CREATE_EXAMPLE.approvers, count: 1 } };
    expect((await one.request('POST', '/v1/approvals', { token: dana, body })).status).toBe(201);
    const url = `/v1/approvals/${CREATE_EXAMPLE.id}`;
    const waiting = one.request('GET', `${url}?wait=30`, { token: dana });
    const began = performance.now();
    const answer = { decision: 'approve', reason: 'seen' };
    const decided = await other.request('POST', `${url}/decisions`, { token: olga, body: answer });
    expect(decided.status).toBeLessThan(300);
    expect((await waiting).body['state']).toBe('approved');
    expect(performance.now() - began).toBeLessThan(20_000);
    const uses = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        (index % 2 === 0 ? one : other).request('POST', `${url}/use`, {
          token: dana,
          body: { digest: CREATE_EXAMPLE.digest, use: `use-${index}` },
        }),
      ),
    );
    expect(uses.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('bring what was published at the one to agents at both', async () => {
    const machine = await one.agent(dana);
    const revision = await one.publish(root, 'acme', POLICY('one'));
    const bundle = async (api: TestApi, headers: Record<string, string> = {}, query = '') =>
      api.request('GET', `/v1/bundles/team:payments${query}`, { token: machine.token, headers });
    const [first] = await Promise.all([bundle(other), bundle(one)]);
    expect(first.status).toBe(200);
    const tag = { 'if-none-match': String(first.headers['etag']) };
    const waiting = [one, other].map((api) => bundle(api, tag, '?wait=30'));
    expect(await one.publish(root, 'acme', POLICY('two'))).toBe(revision + 1);
    for (const { status, text } of await Promise.all(waiting)) {
      expect(status).toBe(200);
      expect(text).not.toBe(first.text);
    }
  });

  it('let nobody in any more whose token was revoked: at once where that was done, and within two seconds at the other', async () => {
    const made = await one.request('POST', '/v1/tokens', { token: dana, body: { name: 'short' } });
    const token = String(made.body['token']);
    const entered = async (api: TestApi) => (await api.request('GET', '/v1/whoami', { token })).status;
    expect([await entered(one), await entered(other)]).toEqual([200, 200]);
    const { id } = made.body['record'] as { readonly id: string };
    await one.request('DELETE', `/v1/tokens/${id}`, { token: dana });
    expect(await entered(one)).toBe(401);
    // Asking again and again does not prolong it.
    const until = performance.now() + 2_000;
    while (performance.now() < until) {
      await entered(other);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(await entered(other)).toBe(401);
  });

  it('count a caller’s requests each for itself', async () => {
    const room = async (api: TestApi) =>
      Number((await api.request('GET', '/healthz', { user: null })).headers['x-ratelimit-remaining']);
    const before = await room(other);
    const at = await room(one);
    expect(await room(one)).toBe(at - 1);
    expect(await room(other)).toBe(before - 1);
  });

  it('give one of two who publish at once the revision, at whichever they do', async () => {
    const { body } = await one.request('GET', '/v1/policies/acme', { token: root });
    const expectedRevision = Number(body['newestRevision']);
    await one.request('PUT', '/v1/policies/acme/draft', {
      token: root,
      body: { text: POLICY('three') },
      headers: { 'if-none-match': '*' },
    });
    const answers = await Promise.all(
      [one, other].map((api) =>
        api.request('POST', '/v1/policies/acme/publications', {
          token: root,
          body: { expectedRevision, note: 'at once' },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, expect.any(Number)]);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  it('write one chain, whoever takes the records', async () => {
    const machine = await one.agent(dana);
    const logs = Array.from({ length: 4 }, (_, index) => new ClientLog(`a-replica${index}`));
    for (let round = 0; round < 3; round += 1) {
      const sent = logs.map((log, index) =>
        (index % 2 === 0 ? one : other).request('POST', '/v1/audit/batches', {
          token: machine.token,
          body: log.batch([decisionEntry(), decisionEntry()]),
        }),
      );
      for (const { status, body } of await Promise.all(sent))
        expect([status, body['code']]).toEqual([200, undefined]);
    }
    for (const api of [one, other]) {
      const { body } = await api.request('GET', '/v1/audit/verify', { token: root });
      expect(body).toMatchObject({ ok: true, flaggedSources: [] });
    }
  });
});
