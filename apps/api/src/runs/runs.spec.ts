import { mkdirSync, symlinkSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { calls, RunApi, says } from './runs.spec-support.js';

jest.setTimeout(60_000);

const READS = [calls('read', { path: 'notes.txt' }), says('It is 42.')];
const TWO_MUST_AGREE = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: infra, revision: 1, scope: { tier: org } }
rules:
  - id: two-people
    effect: approve
    actions: [fs.write]
    when: { path: { some: ["infra/**"] } }
    approvers: { count: 1, from: [approver], ttlMinutes: 30 }
    because: Infra changes need somebody else
  - id: writes-are-fine
    effect: allow
    actions: [fs.write]
    because: Everything else may be written
`;

const THRIFT = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: thrift, revision: 1, scope: { tier: team, ref: frugal } }
locks: { budget: { user: { tokens: 300, per: day } } }
rules: []
`;

describe('runs on the server', () => {
  let runs: RunApi;
  let dev: string;
  beforeAll(async () => {
    runs = await RunApi.start();
    dev = await runs.api.person('dev', ['developer'], ['payments']);
    const ed = await runs.api.person('ed', ['policyEditor']);
    await runs.api.publish(ed, 'infra', TWO_MUST_AGREE);
  });
  afterAll(() => runs.stop());

  const request: RunApi['api']['request'] = (...all) => runs.api.request(...all);

  it('does the work of the command line as whoever asked, and keeps the result', async () => {
    const id = await runs.begin(dev, READS);
    const run = await runs.until(dev, id, 'succeeded');
    expect(run).toMatchObject({
      requester: { id: 'dev', name: 'dev' },
      team: 'payments',
      workspace: runs.workspace,
      used: { turns: 2, toolCalls: 1, tokens: 265, costUsd: null },
      result: { status: 'completed', text: 'It is 42.', error: null, denials: [] },
      attempt: 1,
      waitsFor: [],
    });
    // What the model was sent is the real wire format, and holds what the tool had read.
    expect(runs.model.requests.at(-1)?.path).toBe('/v1/messages');
    expect(runs.model.requests.at(-1)?.rawBody).toContain('the answer is 42');
    const auditor = await runs.api.person('aud', ['auditor']);
    const records = await request('GET', '/v1/audit/records?actor=dev&tool=read', { token: auditor });
    expect(records.body['items']).toMatchObject([
      { actor: 'dev', entry: { kind: 'decision', decision: { verdict: 'allow' } } },
    ]);
    expect((await request('GET', '/v1/audit/verify', { token: auditor })).body['ok']).toBe(true);
  });

  it('is one run however often it is asked for with one key', async () => {
    const body = { workspace: runs.workspace, prompt: 'once' };
    const headers = { 'idempotency-key': 'k1' };
    runs.model.push(says('Once.'));
    const first = await request('POST', '/v1/runs', { token: dev, body, headers });
    const again = await request('POST', '/v1/runs', { token: dev, body, headers });
    expect([again.body['id'], again.headers['idempotent-replayed']]).toEqual([first.body['id'], 'true']);
    const other = { ...body, prompt: 'twice' };
    expect((await request('POST', '/v1/runs', { token: dev, body: other, headers })).status).toBe(409);
    await runs.until(dev, String(first.body['id']), 'succeeded');
  });

  it('is followed as it happens, and taken up again where the connection broke', async () => {
    await runs.api.app.listen(0, '127.0.0.1');
    const { port } = runs.api.app.getHttpServer().address() as AddressInfo;
    const id = await runs.begin(dev, [
      calls('bash', { command: 'echo one; sleep 0.3; echo two' }),
      says('Done.'),
    ]);
    const url = `http://127.0.0.1:${port}/v1/runs/${id}/events`;
    const follow = async (last?: number) => {
      const headers = {
        authorization: `Bearer ${dev}`,
        ...(last === undefined ? {} : { 'last-event-id': `${last}` }),
      };
      const text = await (await fetch(url, { headers })).text();
      return [...text.matchAll(/^event: (.*)\nid: (\d+)\ndata: (.*)$/gm)].map(
        ([, name = '', number, data = '']) => ({
          name,
          id: Number(number),
          data: JSON.parse(data) as Record<string, unknown>,
        }),
      );
    };
    const events = await follow();
    const names = events.map(({ name }) => name);
    for (const name of [
      'run.queued',
      'run.running',
      'run.started',
      'tool.decided',
      'tool.executed',
      'message.completed',
    ])
      expect(names).toContain(name);
    expect(names.at(-1)).toBe('end');
    expect(events.map(({ id: number }) => number)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)?.data).toMatchObject({ state: 'succeeded', status: 'completed', error: null });
    expect(await follow(3)).toEqual(events.slice(3));
    expect(await follow(events.length)).toEqual(events.slice(-1));
    const headers = { 'last-event-id': String(events.length + 1) };
    expect((await request('GET', `/v1/runs/${id}/events`, { token: dev, headers })).body['code']).toBe(
      'run.cursor',
    );
  });

  it('fails where calls were denied, and says which rules, unless that was to be expected', async () => {
    const denied = [calls('bash', { command: 'rm -rf /etc' }), says('I may not.')];
    const strict = await runs.until(dev, await runs.begin(dev, denied), 'failed');
    expect(strict.result).toMatchObject({
      status: 'stopped_by_policy',
      error: { code: 'run.denied' },
      denials: [{ tool: 'bash' }],
      text: 'I may not.',
    });
    const id = await runs.begin(dev, denied, { tolerateDenials: true });
    expect((await runs.until(dev, id, 'succeeded')).result?.denials).toHaveLength(1);
  });

  it('works in folders that the operator allows, by their real paths, and in no others', async () => {
    const below = path.join(runs.workspace, 'below');
    const outside = path.join(runs.folder, 'outside');
    for (const folder of [below, outside]) mkdirSync(folder);
    symlinkSync(outside, path.join(runs.workspace, 'leads-out'));
    symlinkSync(below, path.join(runs.folder, 'leads-in'));
    const refused = [
      outside,
      path.join(runs.workspace, 'leads-out'),
      path.join(runs.workspace, '../../outside'),
      path.join(runs.workspace, 'notes.txt'),
      path.join(runs.workspace, 'missing'),
      `${runs.folder}/allowed-not`,
      'allowed/payments',
      '/',
    ];
    for (const workspace of refused) {
      const { status, body } = await request('POST', '/v1/runs', {
        token: dev,
        body: { workspace, prompt: 'x' },
      });
      expect([workspace, status, body['code']]).toEqual([workspace, 403, 'run.workspace_not_allowed']);
    }
    const id = await runs.begin(dev, [says('Fine.')], { workspace: path.join(runs.folder, 'leads-in') });
    expect((await runs.until(dev, id, 'succeeded')).workspace).toBe(below);
  });

  it.each<[string, object, object, string]>([
    ['turns', { iterations: 1 }, {}, 'agent.iterations'],
    ['tool calls', { toolCalls: 1 }, {}, 'agent.tool_calls'],
    ['tokens', { tokens: 50 }, {}, 'agent.tokens'],
    ['dollars', { costUsd: 0.0001 }, { prices: { 'test-model': { input: 10, output: 10 } } }, 'agent.cost'],
    ['dollars that nobody can count', { costUsd: 1 }, {}, 'run.no_price'],
  ])('ends at its limit of %s', async (_what, limits, config, code) => {
    runs.configure(config);
    const id = await runs.begin(dev, READS, { limits });
    const { result } = await runs.until(dev, id, 'failed');
    expect(result?.error?.code).toBe(code);
    runs.configure({});
    // What this run has not asked for would be the next one's.
    const rest = await runs.begin(dev, []);
    await runs.until(dev, rest, 'succeeded', 'failed');
  });

  it('counts for what its requester and their team may use up, over all of their runs and machines', async () => {
    const ed = await runs.api.person('ed2', ['policyEditor']);
    await runs.api.publish(ed, 'thrift', THRIFT);
    const thrifty = await runs.api.person('thrifty', ['developer'], ['frugal']);
    await runs.until(thrifty, await runs.begin(thrifty, READS), 'succeeded');
    const used = await request('GET', '/v1/usage/mine', { token: thrifty });
    expect(used.body).toMatchObject({
      user: { name: 'thrifty', day: { tokens: 265, toolCalls: 1 } },
      team: { name: 'frugal', month: { tokens: 265 } },
    });
    const id = await runs.begin(thrifty, [says('Still one.'), says('And no more.')]);
    await runs.until(thrifty, id, 'succeeded');
    const { result } = await runs.until(thrifty, await runs.begin(thrifty, []), 'failed');
    expect(result).toMatchObject({ status: 'limit', error: { code: 'budget.user_tokens' } });
    await runs.until(dev, await runs.begin(dev, []), 'succeeded');
  });

  it('ends when its time is over, and what it was doing with it', async () => {
    const id = await runs.begin(dev, [calls('bash', { command: 'sleep 30' })], { limits: { seconds: 1 } });
    const { result, used } = await runs.until(dev, id, 'failed');
    expect(result).toMatchObject({ status: 'limit', error: { code: 'run.time_limit' } });
    expect(used.seconds).toBeLessThan(25);
  });

  it('is cancelled while it works; what has ended stays as it is', async () => {
    const id = await runs.begin(dev, [calls('bash', { command: 'sleep 30' })]);
    await runs.until(dev, id, 'running');
    expect((await request('DELETE', `/v1/runs/${id}`, { token: dev })).status).toBe(202);
    const ended = await runs.until(dev, id, 'cancelled');
    expect(ended).toMatchObject({ cancel: { by: 'dev' }, result: { status: 'interrupted' } });
    const again = await request('DELETE', `/v1/runs/${id}`, { token: dev });
    expect([again.status, again.body['endedAt']]).toEqual([200, ended.endedAt]);
  });

  describe('that needs a yes of somebody else', () => {
    const writes = (file: string) => calls('write', { path: `infra/${file}`, content: 'x' });
    let approver: string;
    beforeAll(async () => {
      approver = await runs.api.person('ann', ['approver']);
    });

    it('parks, goes on when it has the yes, and uses it once', async () => {
      const id = await runs.begin(dev, [writes('a.tf'), says('It waits.'), says('Written.')]);
      const parked = await runs.until(dev, id, 'parked');
      const [approval] = parked.waitsFor;
      const url = `/v1/approvals/${approval}`;
      expect((await request('GET', url, { token: approver })).body).toMatchObject({
        requester: { id: 'dev' },
        rule: 'two-people',
        state: 'pending',
      });
      const own = await request('POST', `${url}/decisions`, { token: dev, body: { decision: 'approve' } });
      expect(own.status).toBe(403);
      const yes = { decision: 'approve' };
      expect((await request('POST', `${url}/decisions`, { token: approver, body: yes })).status).toBe(200);
      const run = await runs.until(dev, id, 'succeeded');
      expect(run).toMatchObject({
        attempt: 2,
        session: parked.session,
        used: { turns: 3 },
        result: { text: 'Written.', files: [{ path: expect.stringMatching(/infra\/a\.tf$/) }] },
      });
      expect((await request('GET', url, { token: approver })).body['state']).toBe('used');
    });

    it('parks, and fails when the answer is no', async () => {
      const id = await runs.begin(dev, [writes('b.tf'), says('It waits.'), says('They said no.')]);
      const [approval] = (await runs.until(dev, id, 'parked')).waitsFor;
      const no = { decision: 'reject', reason: 'not on a Friday' };
      await request('POST', `/v1/approvals/${approval}/decisions`, { token: approver, body: no });
      const { result } = await runs.until(dev, id, 'failed');
      expect(result).toMatchObject({ error: { code: 'run.denied' }, text: 'They said no.' });
    });

    it('is cancelled while it waits, and nobody is asked any more', async () => {
      const id = await runs.begin(dev, [writes('c.tf'), says('It waits.')]);
      const [approval] = (await runs.until(dev, id, 'parked')).waitsFor;
      const { status, body } = await request('DELETE', `/v1/runs/${id}`, { token: dev });
      expect([status, body['state']]).toEqual([200, 'cancelled']);
      expect((await request('GET', `/v1/approvals/${approval}`, { token: approver })).body['state']).toBe(
        'withdrawn',
      );
    });
  });

  it('is seen and ended by whoever started it and by admins, and by nobody else', async () => {
    const id = await runs.begin(dev, READS);
    await runs.until(dev, id, 'succeeded');
    const eve = await runs.api.person('eve2', ['developer']);
    const admin = await runs.api.person('root', ['admin']);
    for (const [method, url] of [
      ['GET', id],
      ['GET', `${id}/events`],
      ['DELETE', id],
      ['GET', 'r-000000000000000'],
      ['GET', 'nonsense'],
    ] as const) {
      const { status, body } = await request(method, `/v1/runs/${url}`, { token: eve });
      expect([url, status, body['code']]).toEqual([url, 404, 'run.unknown']);
    }
    expect((await request('GET', '/v1/runs', { token: eve })).body['items']).toEqual([]);
    expect((await request('DELETE', `/v1/runs/${id}`, { token: admin })).status).toBe(200);
    const listed = await request('GET', '/v1/runs?state=succeeded&limit=2', { token: admin });
    expect(listed.body['items']).toHaveLength(2);
    const body = { workspace: runs.workspace, prompt: 'x' };
    for (const roles of [['admin'], ['auditor'], ['approver'], ['policyEditor']] as const) {
      const token = await runs.api.person(`only-${roles[0].toLowerCase()}`, roles);
      expect((await request('POST', '/v1/runs', { token, body })).status).toBe(403);
    }
  });

  it('does not begin for somebody who was let go while it waited', async () => {
    const gone = await runs.api.person('gone', ['developer']);
    const { store } = runs.api.control.control;
    // It waits: nobody takes a run that was not offered.
    await runs.api.host.runQueue.pause();
    const id = await runs.begin(gone, []);
    const user = await store.identities.user('gone');
    if (user === null) throw new Error('no user');
    await store.identities.changeUser({ ...user, roles: ['auditor'] }, user.etag);
    const { RunExecutor } = await import('./run-executor.js');
    const { shared, runs: settings, runQueue } = runs.api.host;
    const { control, approvals } = runs.api.control;
    const executor = new RunExecutor({ shared, control, approvals }, settings);
    runQueue.take(executor.work, 4);
    const root = await runs.api.person('root2', ['admin']);
    const { result } = await runs.until(root, id, 'failed');
    expect(result?.error).toMatchObject({ code: 'run.revoked', message: 'gone may have no runs any more' });
    await executor.close(0);
  });

  it('masks what looks like a secret before it keeps a prompt', async () => {
    const prompt = 'use ghp_abcdefghijklmnopqrstuvwxyz0123456789 for it';
    await runs.api.host.runQueue.pause();
    const id = await runs.begin(dev, [], { prompt });
    expect((await runs.show(dev, id)).prompt).not.toContain('ghp_abcdef');
    const { body } = await request('DELETE', `/v1/runs/${id}`, { token: dev });
    expect(body['state']).toBe('cancelled');
  });

  it.each<[string, object]>([
    ['no prompt', { workspace: '/x' }],
    ['an unknown field', { workspace: '/x', prompt: 'p', yolo: true }],
    ['a limit of nothing', { workspace: '/x', prompt: 'p', limits: { iterations: 0 } }],
    ['an unknown limit', { workspace: '/x', prompt: 'p', limits: { hours: 1 } }],
    ['a prompt without end', { workspace: '/x', prompt: 'p'.repeat(200_001) }],
  ])('is refused with %s', async (_what, body) => {
    const { status, body: problem } = await request('POST', '/v1/runs', { token: dev, body });
    expect([status, problem['code']]).toEqual([422, 'request.invalid']);
  });
});
