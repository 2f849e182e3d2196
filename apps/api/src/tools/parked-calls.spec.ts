import { existsSync } from 'node:fs';
import path from 'node:path';
import { TestApi } from '../test-api.spec-support.js';

jest.setTimeout(60_000);

const POLICY = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: payments, revision: 1, scope: { tier: team, ref: payments } }
rules:
  - { id: marks, effect: allow, actions: ['*'], when: { command: { argv: [touch] } }, because: marks }
  - id: infra
    effect: approve
    actions: ['*']
    when: { command: { argv: [touch, 'infra*'] } }
    approvers: { count: 2, from: [platform-oncall], ttlMinutes: 30 }
    because: infra changes need two people
`;

describe('a call over REST that others must say yes to', () => {
  let api: TestApi;
  let dana: string;
  let eve: string;
  let olga: string;
  let otto: string;
  beforeAll(async () => {
    api = await TestApi.start();
    dana = await api.person('dana', ['developer'], ['payments']);
    eve = await api.person('eve2', ['developer'], ['payments']);
    olga = await api.person('olga', ['approver'], ['platform-oncall']);
    otto = await api.person('otto', ['approver'], ['platform-oncall']);
    await api.publish(await api.person('ed', ['policyEditor']), 'payments', POLICY);
  });
  afterAll(() => api.stop());

  const call = async (command: string, token = dana, more: Record<string, unknown> = {}) => {
    const body = { input: { command, ...more } };
    const { status, body: said } = await api.request('POST', '/v1/tools/bash/calls', { token, body });
    const { id } = (said['approval'] ?? {}) as { readonly id?: string };
    return { status, said, approval: id ?? '' };
  };
  const decide = (id: string, decision: 'approve' | 'reject', token: string) =>
    api.request('POST', `/v1/approvals/${id}/decisions`, { token, body: { decision, reason: 'seen' } });
  const made = (name: string): boolean => existsSync(path.join(api.host.projectRoot, name));

  it('is parked as one request, and the same call uses the yes of both, once', async () => {
    const parked = await call('touch infra1');
    expect([parked.status, parked.said['status']]).toEqual([202, 'parked']);
    expect(parked.said).toMatchObject({ approval: { expiresAt: expect.any(String) } });
    expect((await call('touch infra1')).approval).toBe(parked.approval);
    await decide(parked.approval, 'approve', olga);
    expect((await call('touch infra1')).status).toBe(202);
    await decide(parked.approval, 'approve', otto);
    expect(made('infra1')).toBe(false);

    // Neither somebody else's call nor another one may use it.
    expect((await call('touch infra1', eve)).approval).not.toBe(parked.approval);
    expect((await call('touch infra11')).approval).not.toBe(parked.approval);
    expect([made('infra1'), made('infra11')]).toEqual([false, false]);

    expect(await call('touch infra1')).toMatchObject({ status: 200, said: { status: 'ok' } });
    expect(made('infra1')).toBe(true);
    const again = await call('touch infra1');
    expect([again.status, again.approval === parked.approval]).toEqual([202, false]);
  });

  it('uses a yes once, however many ask for it at the same time', async () => {
    const { approval } = await call('touch infra-once');
    for (const token of [olga, otto]) await decide(approval, 'approve', token);
    const answers = await Promise.all(Array.from({ length: 8 }, () => call('touch infra-once')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status } of answers) expect([200, 202, 403]).toContain(status);
  });

  it('becomes a task, where it asked for one, when they have said yes', async () => {
    const background = { run_in_background: true };
    const parked = await call('touch infra-task', dana, background);
    expect([parked.status, parked.said['task']]).toEqual([202, undefined]);
    for (const token of [olga, otto]) await decide(parked.approval, 'approve', token);
    const started = await call('touch infra-task', dana, background);
    expect(started).toMatchObject({ status: 202, said: { task: { tool: 'bash' } } });
    const { id } = started.said['task'] as { readonly id: string };
    await api.request('GET', `/v1/tasks/${id}/output?wait=10`, { token: dana });
    expect(made('infra-task')).toBe(true);
  });

  it('is denied with the reason when one of them says no', async () => {
    const { approval } = await call('touch infra2');
    await decide(approval, 'reject', olga);
    const refused = await call('touch infra2');
    expect(refused.status).toBe(403);
    expect(JSON.stringify(refused.said['output'])).toContain('olga: seen');
    expect(made('infra2')).toBe(false);
  });

  it('that a person here would have to confirm is denied, as nobody is here', async () => {
    expect((await call('rm -rf nothing')).status).toBe(403);
  });
});
