import { TestApi } from '../test-api.spec-support.js';

jest.setTimeout(60_000);

const HEAD = (id: string, scope: string) => `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: ${id}, revision: 1, title: About ${id}, scope: ${scope} }
`;
const TEAM = `${HEAD('payments', '{ tier: team, ref: payments }')}rules:
  - id: no-prod
    effect: deny
    actions: [shell.arbitrary]
    when: { command: { argv: [kubectl, [drain]] } }
    because: through the pipeline
tests:
  - name: drain is denied
    call: { tool: bash, input: { command: kubectl drain n1 } }
    expect: { verdict: deny, rule: no-prod }
`;
const ORG = `${HEAD('acme', '{ tier: org }')}rules:
  - { id: no-net, effect: deny, actions: [net.outbound], because: nothing leaves }
`;
const DRAIN = { tool: 'bash', input: { command: 'sudo kubectl drain n1' } };

describe('a policy that somebody writes in a browser', () => {
  let api: TestApi;
  let ed: string;
  beforeAll(async () => {
    api = await TestApi.start();
    ed = await api.person('ed', ['policyEditor']);
    await api.publish(ed, 'acme', ORG);
  });
  afterAll(() => api.stop());

  const post = (url: string, body: object, token = ed) => api.request('POST', `/v1/${url}`, { token, body });
  const check = async (text: string, id = 'payments') =>
    (await post(`policies/${id}/draft/check`, { text })).body;

  it('is checked as it is typed, before it is saved for the first time', async () => {
    expect(await check(TEAM)).toEqual({
      valid: true,
      problems: [],
      findings: [],
      tests: { passed: true, tests: [{ name: 'drain is denied', passed: true, message: null }] },
      place: { id: 'payments', tier: 'team', ref: 'payments' },
    });
    const failing = await check(TEAM.replace('[drain]', '[delete]'));
    expect(failing).toMatchObject({ valid: true, tests: { passed: false, tests: [{ passed: false }] } });
  });

  it.each<[string, string, object]>([
    ['no YAML', 'rules: [', { line: expect.any(Number), path: '' }],
    [
      'an unknown key',
      `${TEAM}surplus: 1\n`,
      { line: 14, column: 10, path: '/surplus', message: expect.stringContaining('unknown key') },
    ],
    ['nothing', '# nothing', { line: null, path: '' }],
    [
      'of a tier that is published elsewhere',
      TEAM.replace('team, ref: payments', 'project'),
      { path: '/metadata' },
    ],
    [
      'of a team that is not named',
      TEAM.replace(', ref: payments', ''),
      { path: expect.stringContaining('') },
    ],
  ])('says where it is %s, and runs nothing', async (_name, text, problem) => {
    expect(await check(text)).toMatchObject({
      valid: false,
      problems: [problem],
      findings: [],
      tests: null,
      place: null,
    });
  });

  it('cannot become another policy while it is written', async () => {
    const moved = await check(ORG.replace('id: acme', 'id: other'), 'acme');
    expect(moved).toMatchObject({ valid: false, problems: [{ message: expect.stringContaining('acme') }] });
  });

  it('is told what rules look like, and which names they may use', async () => {
    const { body } = await api.request('GET', '/v1/policy-language', { token: ed });
    expect(body).toMatchObject({
      schema: { $id: 'urn:wrongstack:policy:v1' },
      capabilities: expect.arrayContaining(['shell.arbitrary', 'unknown', '*']),
      sets: ['readOnlyCommands'],
    });
    const bash = (body['tools'] as { name: string }[]).find(({ name }) => name === 'bash');
    expect(bash).toMatchObject({
      owner: 'core',
      inputSchema: { properties: { command: expect.any(Object) } },
    });
  });

  it('answers what a call would be: under what is in force, a text, a revision and a draft', async () => {
    const ask = async (more: object = {}) =>
      (await post('what-if', { call: DRAIN, who: { team: 'payments', user: 'dana' }, ...more })).body;
    expect(await ask()).toMatchObject({ verdict: 'confirm', noMatch: [] });
    const denied = {
      verdict: 'deny',
      by: 'rule no-prod',
      because: 'through the pipeline',
      demands: expect.arrayContaining([
        expect.objectContaining({ source: 'rule no-prod', document: 'team payments r1', kind: 'hard' }),
        expect.objectContaining({ source: 'tool bash', kind: 'soft' }),
      ]),
      facts: expect.arrayContaining(['kubectl drain n1 (through sudo)']),
    };
    expect(await ask({ document: { policy: 'payments', text: TEAM } })).toMatchObject(denied);
    // A team's policy is for that team.
    expect(await ask({ who: { team: 'ops' }, document: { policy: 'payments', text: TEAM } })).toMatchObject({
      verdict: 'confirm',
    });
    await post('policies', { text: TEAM });
    expect(await ask({ document: { policy: 'payments' } })).toMatchObject(denied);
    const published = await post('policies/payments/publications', { expectedRevision: 0, note: 'first' });
    expect(published.status).toBe(201);
    expect(await ask()).toMatchObject({ ...denied, policy: expect.stringContaining('acme') });
    expect(await ask({ call: { tool: 'bash', input: { command: 'kubectl get pods' } } })).toMatchObject({
      noMatch: expect.arrayContaining([{ rule: 'no-prod', reason: expect.any(String) }]),
    });
    const harmless = TEAM.replace('effect: deny', 'effect: confirm').replace(
      'verdict: deny',
      'verdict: confirm',
    );
    await api.publish(ed, 'payments', harmless);
    expect(await ask({ document: { policy: 'payments', revision: 1 } })).toMatchObject(denied);
    expect(await ask({ session: { interactive: false } })).toMatchObject({
      verdict: 'deny',
      demanded: 'confirm',
    });
  });

  it('says which part of a question nobody can answer', async () => {
    const asked = async (more: object) => {
      const { status, body } = await post('what-if', { call: DRAIN, ...more });
      return [status, body['code']];
    };
    expect(await asked({ call: { tool: 'teleport' } })).toEqual([422, 'request.invalid']);
    expect(await asked({ document: { policy: 'nobody' } })).toEqual([404, 'policy.unknown']);
    expect(await asked({ document: { policy: 'acme' } })).toEqual([404, 'draft.none']);
    expect(await asked({ document: { policy: 'acme', revision: 9 } })).toEqual([
      404,
      'policy.revision_unknown',
    ]);
    expect(await asked({ document: { policy: 'acme', text: 'rules: 3' } })).toEqual([422, 'policy.invalid']);
    expect(await asked({ who: { name: 'x' } })).toEqual([422, 'request.invalid']);
  });

  it('is listed with what it covers, and who changed it last', async () => {
    const laptop = await api.agent(await api.person('dana', ['developer'], ['payments']));
    const beat = { version: '1', platform: 'p', bundle: null, state: 'undetermined', policyVersions: [] };
    await api.request('POST', '/v1/heartbeats', {
      token: laptop.token,
      body: { ...beat, auditPending: 0, refused: null },
    });
    const other = await api.person('otto', ['policyEditor']);
    const saved = await api.request('PUT', '/v1/policies/acme/draft', {
      token: other,
      headers: { 'if-none-match': '*' },
      body: { text: 'unfinished: [' },
    });
    expect(saved.status).toBe(200);
    const { body } = await api.request('GET', '/v1/policies', { token: ed });
    const language = await api.request('GET', '/v1/policy-language', { token: ed });
    expect(language.body['teams']).toEqual(['payments']);
    expect(body['items']).toMatchObject([
      {
        id: 'acme',
        title: 'About acme',
        coverage: { rules: 1, tests: 0, agents: 1, teams: 1 },
        updatedBy: 'otto',
        staged: null,
        awaiting: null,
      },
      {
        id: 'payments',
        activeRevision: 2,
        coverage: { rules: 1, tests: 1, agents: 1, teams: 1 },
        updatedBy: 'ed',
      },
    ]);
  });

  it('is never lost to somebody who saves at the same time: the second gets what the first saved', async () => {
    const first = await api.request('GET', '/v1/policies/acme/draft', { token: ed });
    const tag = { 'if-match': String(first.headers['etag']) };
    const save = (text: string, headers: Record<string, string>) =>
      api.request('PUT', '/v1/policies/acme/draft', { token: ed, headers, body: { text } });
    const won = await save('one: 1', tag);
    const lost = await save('two: 2', tag);
    expect([lost.status, lost.body['code']]).toEqual([412, 'draft.changed']);
    expect(lost.headers['etag']).toBe(won.headers['etag']);
    expect(lost.body['current']).toEqual(won.body);
    expect(lost.body['current']).toMatchObject({ text: 'one: 1', author: 'ed' });
    await api.request('DELETE', '/v1/policies/acme/draft', {
      token: ed,
      headers: { 'if-match': String(won.headers['etag']) },
    });
    const gone = await save('two: 2', { 'if-match': String(won.headers['etag']) });
    expect([gone.status, gone.body['current']]).toEqual([412, null]);
  });
});
