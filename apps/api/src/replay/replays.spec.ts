import { setTimeout as sleep } from 'node:timers/promises';
import { silentLogger } from '@wrongstack/contracts';
import { TestApi } from '../test-api.spec-support.js';
import { decisionAbout, recordCalls } from './recorded-calls.spec-support.js';
import { ReplayRunner } from './replay-runner.js';
import type { ReplayPlayer } from './replay-thread.js';

jest.setTimeout(60_000);

const policy = (id: string, scope: string, rules: string) => `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: ${id}, revision: 1, scope: ${scope} }
rules:
${rules}`;
const denies = (program: string, extra = '') => `  - id: no-${program}
    effect: deny
    actions: ['*']
    when: { command: { argv: [${program}] }${extra} }
    because: a test
`;
const ORG = '{ tier: org }';

describe('a draft that is tried on recorded decisions', () => {
  let api: TestApi;
  let ed: string;
  beforeEach(async () => {
    api = await TestApi.start();
    ed = await api.person('ed', ['policyEditor']);
  });
  afterEach(() => api.stop());

  const call = (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    body?: unknown,
    token = ed,
    headers: Record<string, string> = {},
  ) => api.request(method, `/v1${url}`, { token, headers, ...(body === undefined ? {} : { body }) });

  const decide = (command: string) => decisionAbout(command, api.host.kernel.tools.list());

  async function record(team: string | null, ...commands: string[]) {
    const decisions = await Promise.all(commands.map(decide));
    await recordCalls(api.control.control.store, decisions, { team, actor: `of-${String(team)}` });
  }

  async function create(text: string) {
    const { status, body } = await call('POST', '/policies', { text });
    expect([status, body['code']]).toEqual([201, undefined]);
  }

  async function ended(id: string) {
    for (;;) {
      const { body } = await call('GET', `/replays/${id}`);
      if (!['queued', 'running'].includes(String(body['state']))) return body;
      await sleep(20);
    }
  }

  async function replay(id: string, body: Record<string, unknown> = {}) {
    const started = await call('POST', `/policies/${id}/replays`, body);
    expect([started.status, started.body['code']]).toEqual([201, undefined]);
    return ended(String(started.body['id']));
  }

  it('counts and lists what it flips, by team', async () => {
    await record('payments', 'terraform apply', 'ls', 'terraform plan');
    await record('infra', 'terraform apply', 'npm test');
    await record(null, 'npm test');
    await create(policy('all', ORG, denies('terraform')));

    const done = await replay('all');

    expect(done).toMatchObject({
      state: 'done',
      progress: { percent: 100, looked: 6, skipped: 0 },
      flips: 3,
      teams: 2,
      flipsByTeam: [
        { team: 'payments', flips: 2 },
        { team: 'infra', flips: 1 },
      ],
    });
    expect(done['text']).toBeUndefined();
    const { body } = await call('GET', `/replays/${String(done['id'])}/flips?team=infra`);
    expect(body).toEqual({
      items: [
        {
          seq: expect.any(Number),
          at: '2026-12-01T00:00:00.000Z',
          actor: 'of-infra',
          team: 'infra',
          tool: 'bash',
          before: 'confirm',
          after: 'deny',
          by: 'rule no-terraform',
        },
      ],
      next: null,
    });
    const first = await call('GET', `/replays/${String(done['id'])}/flips?limit=2`);
    expect(first.body['items']).toHaveLength(2);
    expect(first.body['next']).not.toBeNull();
    expect((await call('GET', '/policies/all/replays')).body['items']).toMatchObject([{ id: done['id'] }]);
  });

  it('asks a team policy about its own team alone, and each team with the documents beside it', async () => {
    await record('payments', 'terraform apply');
    await record('infra', 'terraform apply');
    await create(policy('pay', '{ tier: team, ref: payments }', denies('terraform')));
    expect(await replay('pay')).toMatchObject({ progress: { looked: 1 }, flips: 1, teams: 1 });
    await call('POST', '/policies/pay/publications', { expectedRevision: 0 });
    // Payments is denied already by what is in force: the draft of another document changes nothing for it.
    await create(policy('all', ORG, denies('terraform')));
    expect(await replay('all')).toMatchObject({ flips: 1, flipsByTeam: [{ team: 'infra', flips: 1 }] });
  });

  it('does not take what a person allowed for the doing of the draft', async () => {
    const allowed = await decisionAbout(
      'npm test',
      api.host.kernel.tools.list(),
      policy('mine', '{ tier: user }', `  - { id: ok, effect: allow, actions: ['*'], because: a test }\n`),
    );
    expect(allowed.verdict).toBe('allow');
    await recordCalls(api.control.control.store, [allowed]);
    await create(policy('all', ORG, denies('terraform')));
    expect(await replay('all')).toMatchObject({ progress: { looked: 1 }, flips: 0 });
    const stricter = policy('all', ORG, denies('npm'));
    expect(await replay('all', { text: stricter })).toMatchObject({ flips: 1 });
  });

  it('reads only the time that it is asked for', async () => {
    const decision = await decide('terraform apply');
    await recordCalls(api.control.control.store, [decision], { at: '2026-11-01T00:00:00.000Z' });
    await recordCalls(api.control.control.store, [decision], { at: '2026-12-01T00:00:00.000Z' });
    await create(policy('all', ORG, denies('terraform')));
    expect(await replay('all', { from: '2026-11-30T23:00:00+01:00' })).toMatchObject({ flips: 1 });
    expect(await replay('all', { to: '2026-12-01T00:00:00Z' })).toMatchObject({ flips: 1 });
    const { status, body } = await call('POST', '/policies/all/replays', { from: 'yesterday' });
    expect([status, body['code']]).toEqual([422, 'request.invalid']);
  });

  it('counts what it cannot read, and goes on', async () => {
    const decision = await decide('terraform apply');
    const strange = { ...decision, facts: { ...decision.facts, actor: null } } as unknown as typeof decision;
    await recordCalls(api.control.control.store, [strange, decision]);
    await create(policy('all', ORG, denies('terraform')));
    expect(await replay('all')).toMatchObject({
      state: 'done',
      progress: { looked: 2, skipped: 1 },
      flips: 1,
    });
  });

  it('tells its progress as events, and the end to whoever comes back', async () => {
    await record('payments', 'terraform apply');
    await create(policy('all', ORG, denies('terraform')));
    const { body } = await call('POST', '/policies/all/replays', {});
    const url = `/replays/${String(body['id'])}/events`;
    const events = await call('GET', url);
    expect(events.headers['content-type']).toBe('text/event-stream');
    expect(events.text).toMatch(/event: end\nid: \d+\ndata: .*"state":"done"/);
    const again = await call('GET', url, undefined, ed, { 'last-event-id': '1' });
    expect(again.text.match(/^event: /gm)).toEqual(['event: ']);
    const bad = await call('GET', url, undefined, ed, { 'last-event-id': 'x' });
    expect(bad.body['code']).toBe('request.invalid');
  });

  it('is for those who write policies', async () => {
    const dev = await api.person('dana', ['developer']);
    await create(policy('all', ORG, denies('terraform')));
    expect((await call('POST', '/policies/all/replays', {}, dev)).status).toBe(403);
    expect((await call('POST', '/policies/none/replays', {})).body['code']).toBe('policy.unknown');
    expect((await call('POST', '/policies/all/replays', { text: 'no' })).body['code']).toBe('policy.invalid');
    const other = policy('other', ORG, denies('x'));
    expect((await call('POST', '/policies/all/replays', { text: other })).body['code']).toBe('policy.moved');
    expect((await call('GET', '/replays/rp_x')).body['code']).toBe('replay.unknown');
    expect((await call('DELETE', '/replays/rp_x')).body['code']).toBe('replay.unknown');
  });

  describe('played by hand', () => {
    const runners: ReplayRunner[] = [];
    afterEach(async () => {
      for (const runner of runners.splice(0)) await runner.stop();
    });

    /** Another process of the same store, whose pieces come as a test lets them. */
    function other(play: ReplayPlayer) {
      const runner = new ReplayRunner(api.control.control, play, silentLogger);
      runners.push(runner);
      return runner;
    }

    beforeEach(async () => {
      await api.control.replays.stop();
      await record('payments', 'terraform apply', 'terraform plan');
      await create(policy('all', ORG, denies('terraform')));
    });

    const start = async () => String((await call('POST', '/policies/all/replays', {})).body['id']);

    it('ends when it is cancelled, and keeps what it has found', async () => {
      const id = await start();
      let pieces = 0;
      const gone = new Promise<void>((resolve) => {
        other(async function* (_work, signal) {
          signal.addEventListener('abort', () => resolve());
          for (;;) {
            yield { throughSeq: (pieces += 1), looked: 1, skipped: 0, flips: [] };
            await sleep(100);
          }
        }).start();
      });
      while (pieces < 2) await sleep(10);
      const { status, body } = await call('DELETE', `/replays/${id}`);
      expect([status, body['state'], body['because']]).toEqual([200, 'cancelled', 'cancelled by ed']);
      await gone;
      expect(await ended(id)).toMatchObject({ state: 'cancelled' });
      expect((await call('DELETE', `/replays/${id}`)).body['state']).toBe('cancelled');
    });

    it('goes on after a restart where it was written last, and counts nothing twice', async () => {
      const id = await start();
      const flip = (seq: number) => ({
        ...{ seq, at: '2026-12-01T00:00:00.000Z', actor: 'a', team: 'payments', tool: 'bash' },
        ...({ before: 'allow', after: 'deny', by: 'rule x' } as const),
      });
      let stuck = false;
      const first = other(async function* (_work, signal) {
        yield { throughSeq: 1, looked: 1, skipped: 0, flips: [flip(1)] };
        await sleep(600);
        yield { throughSeq: 2, looked: 1, skipped: 0, flips: [flip(2)] };
        // Found, and not yet counted when the process ends.
        yield { throughSeq: 3, looked: 1, skipped: 0, flips: [flip(3)] };
        stuck = true;
        await new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new Error('stopped'))),
        );
      });
      first.start();
      while (!stuck) await sleep(10);
      await first.stop();
      expect((await call('GET', `/replays/${id}`)).body).toMatchObject({ state: 'running', flips: 2 });

      let began = -1;
      other(async function* ({ window }) {
        began = window.afterSeq;
        yield { throughSeq: 3, looked: 1, skipped: 0, flips: [flip(3)] };
      }).start();
      expect(await ended(id)).toMatchObject({ state: 'done', flips: 3, teams: 1, progress: { looked: 3 } });
      expect(began).toBe(2);
      expect((await call('GET', `/replays/${id}/flips`)).body['items']).toHaveLength(3);
    });

    it('says why it failed', async () => {
      const id = await start();
      other(async function* () {
        yield { throughSeq: 1, looked: 1, skipped: 0, flips: [] };
        throw new Error('out of memory');
      }).start();
      expect(await ended(id)).toMatchObject({ state: 'failed', because: 'out of memory' });
    });
  });
});
