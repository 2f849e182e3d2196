import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { writeFile } from 'node:fs/promises';
import { TestApi } from '../test-api.spec-support.js';
import { Machine } from './wstack.spec-support.js';

jest.setTimeout(120_000);

const POLICY = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: payments, revision: 1, scope: { tier: team, ref: payments } }
locks: { budget: { user: { tokens: 1000, per: day }, team: { tokens: 100000 } } }
rules:
  - { id: never, effect: deny, actions: ['*'], when: { tool: [never] }, because: a test }
`;
const TEAM = POLICY.replaceAll('payments', 'platform').replace(
  /budget: .*/,
  'budget: { team: { tokens: 1000, per: day } } }',
);
const READ = { tool: 'read', input: { path: 'a.txt' } };
const turn = (inputTokens: number, more: object = { text: 'done' }) => ({ ...more, usage: { inputTokens } });

interface Result {
  readonly status: string;
  readonly error: { readonly code: string; readonly message: string; readonly hint: string } | null;
}

describe('budgets of users and teams', () => {
  let api: TestApi;
  let laptop: Machine;
  let desktop: Machine;
  let auditor: string;
  let address: string;
  beforeAll(async () => {
    api = await TestApi.start();
    const dana = await api.person('dana', ['developer'], ['payments']);
    auditor = await api.person('aud', ['auditor']);
    const editor = await api.person('ed', ['policyEditor']);
    await api.publish(editor, 'payments', POLICY);
    await api.publish(editor, 'platform', TEAM);
    await api.app.listen(0, '127.0.0.1');
    const { port } = api.app.getHttpServer().address() as AddressInfo;
    address = `http://127.0.0.1:${port}`;
    [laptop, desktop] = [await machineOf(dana), await machineOf(dana)];
  });
  afterAll(async () => {
    await laptop.remove();
    await desktop.remove();
    await api.stop();
  });

  async function machineOf(token: string): Promise<Machine> {
    const machine = await Machine.create();
    await writeFile(path.join(machine.project, 'a.txt'), 'a');
    await machine.run(['login', '--server', address, '--token'], `${token}\n`);
    return machine;
  }

  const run = async (
    machine: Machine,
  ): Promise<Result & { readonly code: number | null; readonly stderr: string }> => {
    const { code, stdout, stderr } = await machine.run(['run', 'go', '--output', 'json']);
    return { code, stderr, ...(JSON.parse(stdout) as Result) };
  };

  it('add up over machines: warned at four fifths, stopped at the limit, on each of them', async () => {
    await laptop.model([turn(500)]);
    expect(await run(laptop)).toMatchObject({ code: 0, status: 'completed', error: null });
    await desktop.model([turn(350, { calls: [READ] }), turn(200, { calls: [READ] }), turn(1)]);
    const text = await desktop.run(['run', 'go', '--output', 'stream-json']);
    const errors = text.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; code: string; message: string })
      .filter(({ type }) => type === 'error');
    expect(errors.map(({ code, message }) => [code, message])).toEqual([
      ['budget.user_tokens_near', 'user dana has used up 850 of 1000 tokens of this day'],
      [
        'budget.user_tokens',
        'stopped: user dana has used up 1050 of 1000 tokens of this day, what the policy allows',
      ],
    ]);
    expect(text.code).toBe(1);
    const again = await run(laptop);
    expect(again).toMatchObject({
      ...{ code: 1, status: 'limit' },
      error: { code: 'budget.user_tokens', hint: expect.stringContaining('begins anew with the next day') },
    });
  });

  it('are seen in the metrics of the fleet, and by who looks after them', async () => {
    const page = (await api.request('GET', '/metrics', { token: auditor })).text.split('\n');
    expect(page).toContain('wrongstack_budget_warnings_total{scope="user",limit="tokens"} 1');
    expect(page).toContain('wrongstack_budget_stops_total{scope="user",limit="tokens"} 2');
    expect(page).toContain('wrongstack_runs_total{status="limit"} 2');
    const { body } = await api.request('GET', '/v1/usage?of=team', { token: auditor });
    expect(body['items']).toMatchObject([{ name: 'payments', tokens: 1_050 }]);
  });

  it('are shown to whom they are about', async () => {
    const { stdout } = await laptop.run(['stats', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      budgets: [
        { scope: 'user', name: 'dana', per: 'day', limit: 'tokens', most: 1_000, used: 1_050 },
        { scope: 'team', name: 'payments', per: 'month', limit: 'tokens', most: 100_000, used: 1_050 },
      ],
    });
    expect((await laptop.run(['stats'])).stdout).toMatch(
      /^ *1\.1k +1\.0k +105 % +day +tokens of user dana$/m,
    );
  });

  it('of a team stop one of its people for what another has used up', async () => {
    const [otto, ann] = [
      await machineOf(await api.person('otto', ['developer'], ['platform'])),
      await machineOf(await api.person('ann', ['developer'], ['platform'])),
    ];
    try {
      await otto.model([turn(700)]);
      expect(await run(otto)).toMatchObject({ code: 0, status: 'completed', error: null });
      await ann.model([turn(400, { calls: [READ] }), turn(1)]);
      const stopped = {
        ...{ code: 1, status: 'limit' },
        error: {
          code: 'budget.team_tokens',
          message: expect.stringContaining('team platform has used up 1100 of 1000 tokens of this day'),
        },
      };
      expect(await run(ann)).toMatchObject(stopped);
      expect(await run(otto)).toMatchObject(stopped);
      const page = (await api.request('GET', '/metrics', { token: auditor })).text.split('\n');
      expect(page).toContain('wrongstack_budget_stops_total{scope="team",limit="tokens"} 2');
    } finally {
      await Promise.all([otto.remove(), ann.remove()]);
    }
  });
});
