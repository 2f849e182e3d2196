import { TestApi } from '../test-api.spec-support.js';

jest.setTimeout(60_000);

const policy = (tier: string, id: string, word: string, extra = '') => `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: ${id}, revision: 1, scope: { tier: ${tier}${tier === 'team' ? `, ref: ${id}` : ''} } }
rules:
  - { id: no-${word}, effect: deny, actions: ['*'], when: { command: { argv: [echo, ${word}] } }, because: not here }
${extra}`;

describe('governed decisions', () => {
  let api: TestApi;
  let ed: string;
  let dana: string;
  let otto: string;
  let aud: string;
  beforeAll(async () => {
    api = await TestApi.start();
    ed = await api.person('ed', ['policyEditor']);
    dana = await api.person('dana', ['developer'], ['payments']);
    otto = await api.person('otto', ['developer'], ['search']);
    aud = await api.person('aud', ['auditor']);
    await api.publish(ed, 'acme', policy('org', 'acme', 'red'));
    await api.publish(ed, 'payments', policy('team', 'payments', 'blue'));
  });
  afterAll(() => api.stop());

  const decide = (token: string, command: string, tool = 'bash') =>
    api.request('POST', '/v1/decisions', { token, body: { tool, input: { command } } });
  const verdict = async (token: string, command: string) => {
    const { status, body } = await decide(token, command);
    return [status, body['verdict'], (body['by'] as { id: string } | undefined)?.id];
  };
  const run = (token: string, command: string) =>
    api.request('POST', '/v1/tools/bash/calls', { token, body: { input: { command } } });

  it('follow what is in force for the caller: the organisation’s and the team’s own', async () => {
    expect(await verdict(dana, 'echo green')).toEqual([200, 'allow', 'allow-bash']);
    expect(await verdict(dana, 'echo red')).toEqual([200, 'deny', 'no-red']);
    expect(await verdict(dana, 'cd . && echo blue')).toEqual([200, 'deny', 'no-blue']);
    expect(await verdict(otto, 'echo red')).toEqual([200, 'deny', 'no-red']);
    expect(await verdict(otto, 'echo blue')).toEqual([200, 'allow', 'allow-bash']);
  });

  it('bind the calls that this server runs itself in the same way', async () => {
    expect((await run(dana, 'echo green')).status).toBe(200);
    expect((await run(dana, 'echo blue')).body).toMatchObject({
      status: 'denied',
      decision: { verdict: 'deny' },
    });
    expect((await run(otto, 'echo blue')).status).toBe(200);
    expect((await run(otto, 'echo red')).status).toBe(403);
  });

  it('change with the next call after a publication', async () => {
    expect(await verdict(otto, 'echo pink')).toEqual([200, 'allow', 'allow-bash']);
    await api.publish(ed, 'search', policy('team', 'search', 'pink'));
    expect(await verdict(otto, 'echo pink')).toEqual([200, 'deny', 'no-pink']);
    expect(await verdict(dana, 'echo pink')).toEqual([200, 'allow', 'allow-bash']);
  });

  it('stand in the audit log before they are given, for the person who asked', async () => {
    const { body } = await decide(dana, 'echo blue');
    const { body: found } = await api.request('GET', '/v1/audit/records?rule=no-blue&limit=1', {
      token: aud,
    });
    expect(found['items']).toMatchObject([
      {
        actor: 'dana',
        flagged: false,
        entry: { kind: 'decision', decision: { id: body['id'], verdict: 'deny' } },
      },
    ]);
    const many = await Promise.all(Array.from({ length: 20 }, () => decide(otto, 'echo red')));
    expect(many.map(({ status }) => status)).toEqual(Array<number>(20).fill(200));
    const verify = await api.request('GET', '/v1/audit/verify', { token: aud });
    expect(verify.body).toMatchObject({ ok: true, flaggedSources: [] });
  });

  it('are not given where they cannot be kept, and the chain goes on afterwards', async () => {
    const { audit } = api.control.control.store;
    const append = jest.spyOn(audit, 'append').mockRejectedValueOnce(new Error('the disk is full'));
    expect((await decide(dana, 'echo green')).status).toBe(500);
    append.mockRestore();
    expect((await decide(dana, 'echo green')).status).toBe(200);
    expect((await api.request('GET', '/v1/audit/verify', { token: aud })).body).toMatchObject({
      ok: true,
      flaggedSources: [],
    });
  });

  it('are refused for what is no call, and to those who make none', async () => {
    const post = async (body: unknown, token = dana) => {
      const answer = await api.request('POST', '/v1/decisions', { token, body });
      return [answer.status, answer.body['code']];
    };
    expect(await post({ tool: 'nothing', input: {} })).toEqual([422, 'decision.invalid_call']);
    expect(await post({ tool: 'bash', input: {} })).toEqual([422, 'decision.invalid_call']);
    expect(await post({ tool: 'bash' })).toEqual([422, 'request.invalid']);
    expect(await post({ tool: 'bash', input: { command: 'ls' }, actor: 'root' })).toEqual([
      422,
      'request.invalid',
    ]);
    expect(await post({ tool: 'bash', input: { command: 'ls' } }, aud)).toEqual([403, 'auth.forbidden']);
  });

  it('never prompt: what needs a person is no', async () => {
    const { body } = await decide(dana, 'rm -rf build');
    expect(body).toMatchObject({ verdict: 'deny', demanded: 'confirm' });
  });
});
