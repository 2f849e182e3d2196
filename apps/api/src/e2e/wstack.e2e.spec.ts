import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { TestApi } from '../test-api.spec-support.js';
import { Machine } from './wstack.spec-support.js';

jest.setTimeout(240_000);

const POLICY = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: payments, revision: 1, scope: { tier: team, ref: payments } }
locks: { headlessConfirm: queue }
rules:
  - { id: routine, effect: allow, actions: ['*'], when: { command: { argv: [[echo, touch]] } }, because: routine }
  - { id: no-prod, effect: deny, actions: ['*'], when: { command: { argv: [echo, prod] } }, because: through the pipeline }
  - id: infra
    effect: approve
    actions: ['*']
    when: { command: { argv: [touch, infra] } }
    approvers: { count: 1, from: [platform-oncall], ttlMinutes: 30 }
    because: infra changes need another person
`;

describe('wstack and its control plane, both of them real', () => {
  let api: TestApi;
  let tokens: Record<'dana' | 'olga' | 'aud' | 'ed', string>;
  let dana: Machine;
  let olga: Machine;
  beforeAll(async () => {
    api = await TestApi.start();
    tokens = {
      dana: await api.person('dana', ['developer'], ['payments']),
      olga: await api.person('olga', ['approver', 'auditor'], ['platform-oncall']),
      aud: await api.person('aud', ['auditor']),
      ed: await api.person('ed', ['policyEditor']),
    };
    await api.publish(tokens.ed, 'payments', POLICY);
    await api.app.listen(0, '127.0.0.1');
    const { port } = api.app.getHttpServer().address() as AddressInfo;
    [dana, olga] = [await Machine.create(), await Machine.create()];
    for (const [machine, token] of [
      [dana, tokens.dana],
      [olga, tokens.olga],
    ] as const) {
      const signedIn = await machine.run(
        ['login', '--server', `http://127.0.0.1:${port}`, '--token'],
        `${token}\n`,
      );
      expect(signedIn).toMatchObject({ code: 0, stderr: '' });
    }
  });
  afterAll(async () => {
    await dana.remove();
    await olga.remove();
    await api.stop();
  });

  const pending = async (): Promise<readonly { id: string; title: string }[]> =>
    JSON.parse((await olga.run(['approvals', 'list', '--json'])).stdout) as { id: string; title: string }[];

  it('enforces what was published, and what it decided is found in the organisation’s log', async () => {
    expect((await dana.bash('echo hello')).code).toBe(0);
    expect((await dana.bash('cd . && echo prod')).code).toBe(3);
    const found = await olga.run(['audit', 'search', '--rule', 'no-prod', '--json']);
    expect(JSON.parse(found.stdout)).toMatchObject([
      {
        actor: 'dana',
        flagged: false,
        entry: { decision: { verdict: 'deny', by: { id: 'no-prod', revision: 1 } } },
      },
    ]);
    const verified = await olga.run(['audit', 'verify', '--server']);
    expect(verified).toMatchObject({ code: 0, stdout: expect.stringMatching(/^holds · \d+ records/) });
    expect((await dana.run(['audit', 'verify', '--server'])).stderr).toContain('do not allow read on Audit');
  });

  it('parks what others must say yes to, and runs it once they did, once', async () => {
    const parked = await dana.bash('touch infra');
    expect(parked.code).toBe(3);
    expect(existsSync(path.join(dana.project, 'infra'))).toBe(false);
    const [request] = await pending();
    expect(request?.title).toContain('touch infra');
    const id = request?.id ?? '';
    const shown = await olga.run(['approvals', 'show', id]);
    expect(shown.stdout).toContain('infra changes need another person');
    expect((await dana.run(['approvals', 'approve', id])).code).not.toBe(0);
    expect((await dana.bash('touch infra')).code).toBe(3);
    expect(await pending()).toHaveLength(1);
    expect((await olga.run(['approvals', 'approve', id])).stdout).toContain('approved');
    expect((await dana.bash('touch infra')).code).toBe(0);
    expect(existsSync(path.join(dana.project, 'infra'))).toBe(true);
    // The yes was for once: the same call is another question.
    expect((await dana.bash('touch infra')).code).toBe(3);
    const [again] = await pending();
    expect(again?.id).not.toBe(id);
    expect((await olga.run(['approvals', 'reject', again?.id ?? '', '--reason', 'not twice'])).code).toBe(0);
    const refused = await dana.bash('touch infra');
    expect(refused.code).toBe(3);
    expect(refused.stdout).toContain('not twice');
  });

  it('parks a headless run that would have asked, and goes on with it after the yes', async () => {
    await dana.model([
      { calls: [{ tool: 'bash', input: { command: 'mkdir made' } }] },
      ...Array.from({ length: 3 }, () => ({ text: 'It is made.' })),
    ]);
    const run = await dana.run(['run', 'make it']);
    expect(run.code).toBe(3);
    expect(existsSync(path.join(dana.project, 'made'))).toBe(false);
    const [request] = (await pending()).filter(({ title }) => title.includes('mkdir made'));
    expect((await olga.run(['approvals', 'approve', request?.id ?? ''])).code).toBe(0);
    const [session] = JSON.parse((await dana.run(['session', 'list', '--json'])).stdout) as { id: string }[];
    const resumed = await dana.run(['run', '--resume', session?.id ?? '', 'go on']);
    if (resumed.code !== 0) throw new Error(resumed.stderr);
    expect(existsSync(path.join(dana.project, 'made'))).toBe(true);
  });

  it('is seen in the fleet, with what it holds', async () => {
    expect((await dana.run(['policy', 'pull'])).code).toBe(0);
    const { body } = await api.request('GET', '/v1/fleet', { token: tokens.aud });
    expect(body['items']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ owner: 'dana', policyState: 'fresh', team: 'payments', drift: [] }),
      ]),
    );
  });

  it('loses nothing and ships nothing twice, killed in the middle as often as one likes', async () => {
    for (const wait of [250, 400, 550, 700, 900, 1_200]) {
      const child = dana.start(['tool', 'call', 'bash', '{"command":"echo x"}']);
      child.stdin?.end();
      const gone = new Promise((resolve) => child.once('close', resolve));
      setTimeout(() => child.kill('SIGKILL'), wait);
      await gone;
    }
    expect((await dana.bash('echo last')).code).toBe(0);
    expect((await dana.bash('echo very last')).code).toBe(0);
    const shipped: string[] = [];
    for await (const rows of api.control.control.store.audit.stream({ signal: AbortSignal.timeout(30_000) }))
      for (const { source, sourceSeq } of rows)
        if (source.includes('/a-') && !source.startsWith('control-plane/'))
          shipped.push(`${source.split('/')[1] ?? ''} ${sourceSeq}`);
    expect(shipped).toHaveLength(new Set(shipped).size);
    expect(new Set(shipped)).toEqual(
      new Set([...(await dana.logged()), ...(await olga.logged().catch(() => []))]),
    );
    const { body } = await api.request('GET', '/v1/audit/verify', { token: tokens.aud });
    expect(body).toMatchObject({ ok: true, flaggedSources: [] });
  });
});
