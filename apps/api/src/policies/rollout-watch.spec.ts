import type { AddressInfo } from 'node:net';
import { decisionAbout, recordCalls } from '../replay/recorded-calls.spec-support.js';
import { takeTurn } from '../control/lease.js';
import { TestApi } from '../test-api.spec-support.js';

jest.setTimeout(60_000);

const policy = (program: string) => `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: all, revision: 1, scope: { tier: org } }
rules:
  - { id: no, effect: deny, actions: ['*'], when: { command: { argv: [${program}] } }, because: a test }
`;

describe('a staged rollout', () => {
  let api: TestApi;
  let ed: string;
  beforeEach(async () => {
    api = await TestApi.start();
    ed = await api.person('ed', ['policyEditor']);
    await call('POST', '', { text: policy('terraform') });
    await call('POST', '/all/publications', { expectedRevision: 0 });
  });
  afterEach(() => api.stop());

  const call = (method: 'GET' | 'POST', url: string, body?: unknown) =>
    api.request(method, `/v1/policies${url}`, { token: ed, ...(body === undefined ? {} : { body }) });

  async function stage(rollout: { teams: string[]; percent: number }) {
    await api.request('PUT', '/v1/policies/all/draft', {
      token: ed,
      body: { text: policy('npm') },
      headers: { 'if-none-match': '*' },
    });
    const { body } = await call('POST', '/all/publications', {
      expectedRevision: 1,
      rollout: { ...rollout, salt: 'x' },
    });
    expect(body['state']).toBe('staged');
  }

  /** Calls of a member of the team: so many, of which some are denied. */
  async function calls(team: string, allowed: number, denied: number) {
    const tools = api.host.kernel.tools.list();
    const no = await decisionAbout('npm test', tools, policy('npm'));
    const yes = await decisionAbout('ls', tools);
    expect([no.verdict, yes.verdict]).toEqual(['deny', 'confirm']);
    const decisions = [
      ...Array.from({ length: allowed }, () => yes),
      ...Array.from({ length: denied }, () => no),
    ];
    api.clock.forward(1);
    const at = new Date(api.clock.now()).toISOString();
    await recordCalls(api.control.control.store, decisions, { actor: `of-${team}`, team, at });
  }

  const second = async () => (await call('GET', '/all/revisions/2')).body;

  it('is halted by the server where denials rise for those who have it, and says why', async () => {
    await calls('pilot', 99, 1);
    api.clock.forward(1_000);
    await stage({ teams: ['pilot'], percent: 100 });
    await calls('pilot', 60, 40);
    await calls('others', 100, 0);
    const before = await api.control.control.store.bundleRevision.current();

    await api.control.rollouts.check();

    const { state } = await second();
    expect(state).toBe('halted');
    const revision = await api.control.control.store.policies.revision('all', 2);
    expect(revision?.because).toBe('denials rose from 1% to 40% (40 of 100 decisions)');
    const after = await api.control.control.store.bundleRevision.current();
    expect(after.revision).toBeGreaterThan(before.revision);
    const { items } = await api.control.control.store.audit.search({ kind: 'note' }, { limit: 1 });
    expect(items[0]?.entry.data).toMatchObject({ action: 'rollout.halt', policy: 'all', revision: 2 });
    expect(items[0]?.index.actor).toBe('control-plane');
  });

  it.each([
    ['the same people were denied as much before', [60, 40], [100, 0]],
    ['the others are denied as much now', [100, 0], [60, 40]],
  ] as const)('goes on where %s', async (_name, [earlierYes, earlierNo], [otherYes, otherNo]) => {
    await calls('pilot', earlierYes, earlierNo);
    api.clock.forward(1_000);
    await stage({ teams: ['pilot'], percent: 100 });
    await calls('pilot', 60, 40);
    await calls('others', otherYes, otherNo);
    await api.control.rollouts.check();
    expect((await second())['state']).toBe('staged');
  });

  it('is seen as it goes, and the moment it is taken back', async () => {
    await calls('pilot', 9, 1);
    api.clock.forward(300_000);
    await stage({ teams: ['pilot'], percent: 100 });
    await calls('pilot', 70, 30);
    await calls('others', 50, 0);
    api.clock.forward(1_000);
    const { body } = await call('GET', '/all/revisions/2/rollout?hours=1');
    expect(body).toMatchObject({
      state: 'staged',
      rollout: { teams: ['pilot'], percent: 100 },
      halt: { percent: 20, atLeast: 20 },
      spike: 'denials rose from 0% to 30% (30 of 100 decisions)',
      now: {
        staged: { people: 1, decided: 100, denied: 30 },
        before: { people: 1, decided: 10, denied: 1 },
        others: { people: 1, decided: 50, denied: 0 },
      },
    });
    const series = body['series'] as { with: { decided: number }; without: { decided: number } }[];
    expect(series).toHaveLength(36);
    expect(series.reduce((sum, step) => sum + step.with.decided, 0)).toBe(110);
    expect(series.at(-1)).toMatchObject({ with: { denied: 30 }, without: { decided: 50, denied: 0 } });

    await api.app.listen(0, '127.0.0.1');
    const { port } = api.app.getHttpServer().address() as AddressInfo;
    const stream = await fetch(`http://127.0.0.1:${port}/v1/policies/all/revisions/2/rollout/events`, {
      headers: { authorization: `Bearer ${ed}` },
      signal: AbortSignal.timeout(30_000),
    });
    let text = '';
    let states: string[] = [];
    let halted = false;
    for await (const piece of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece;
      states = [...text.matchAll(/^event: rollout\nid: \d+\ndata: (.*)\n\n/gm)].map(
        ([, data = '']) => (JSON.parse(data) as { state: string }).state,
      );
      if (states.length > 0 && !halted) {
        halted = true;
        await call('POST', '/all/revisions/2/halt', { because: 'people cannot work' });
      }
      if (states.includes('halted')) break;
    }
    expect([states[0], states.at(-1)]).toEqual(['staged', 'halted']);
    expect((await call('GET', '/all/revisions/9/rollout/events')).status).toBe(404);
  });

  it('goes on where the organisation wants no automatic halt', async () => {
    const root = await api.person('root', ['admin']);
    const { body, headers } = await api.request('GET', '/v1/settings', { token: root });
    const put = await api.request('PUT', '/v1/settings', {
      token: root,
      body: { ...body, haltOnDenials: null },
      headers: { 'if-match': String(headers['etag']) },
    });
    expect(put.status).toBe(200);
    await stage({ teams: ['pilot'], percent: 100 });
    await calls('pilot', 0, 100);
    await api.control.rollouts.check();
    expect((await second())['state']).toBe('staged');
  });

  it('is checked by one replica at a time', async () => {
    const { store, clock } = api.control.control;
    const now = clock.now();
    const turns = await Promise.all([1, 2, 3].map(() => takeTurn(store, 'check', now, 60_000)));
    expect(turns.filter((mine) => mine)).toHaveLength(1);
    expect(await takeTurn(store, 'check', now + 59_999, 60_000)).toBe(false);
    expect(await takeTurn(store, 'other', now, 60_000)).toBe(true);
    expect(await takeTurn(store, 'check', now + 60_000, 60_000)).toBe(true);
  });
});
