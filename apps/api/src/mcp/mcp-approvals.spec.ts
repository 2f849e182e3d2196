import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { CallToolResult, ElicitRequest } from '@modelcontextprotocol/sdk/types.js';
import { TestApi } from '../test-api.spec-support.js';
import { type Answers, McpClients } from './mcp-client.spec-support.js';

jest.setTimeout(60_000);

const POLICY = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: payments, revision: 1, scope: { tier: team, ref: payments } }
locks: { headlessConfirm: queue }
rules:
  - { id: marks, effect: allow, actions: ['*'], when: { command: { argv: [touch] } }, because: marks }
  - id: infra
    effect: approve
    actions: ['*']
    when: { command: { argv: [touch, 'infra*'] } }
    approvers: { count: 1, from: [platform-oncall], ttlMinutes: 30 }
    because: infra changes need another person
`;

describe('what people must say yes to, over /mcp', () => {
  let api: TestApi;
  let clients: McpClients;
  let olga: string;
  let agents: { readonly token: string }[];
  beforeAll(async () => {
    api = await TestApi.start();
    const dana = await api.person('dana', ['developer'], ['payments']);
    olga = await api.person('olga', ['approver'], ['platform-oncall']);
    await api.publish(await api.person('ed', ['policyEditor']), 'payments', POLICY);
    agents = [await api.agent(dana), await api.agent(dana)];
    clients = await McpClients.of(api);
  });
  afterEach(() => clients.close());
  afterAll(() => clients.stop());

  const connect = (answer?: Answers, agent = 0): Promise<Client> =>
    clients.connect(agents[agent]?.token ?? '', answer);
  const made = (name: string): boolean => existsSync(path.join(api.host.projectRoot, name));
  const bash = async (client: Client, command: string) => {
    const result = await client.callTool({ name: 'bash', arguments: { command } });
    return result['structuredContent'] as { status: string; text: string; approval?: string };
  };
  const waiting = async (
    title: string,
  ): Promise<readonly { readonly id: string; readonly title: string }[]> => {
    const { body } = await api.request('GET', '/v1/approvals?state=pending', { token: olga });
    return (body['items'] as { id: string; title: string }[]).filter((one) => one.title.includes(title));
  };
  const decide = (id: string, decision: 'approve' | 'reject', reason: string) =>
    api.request('POST', `/v1/approvals/${id}/decisions`, { token: olga, body: { decision, reason } });

  it('is parked, and the same call uses the yes, once; nobody else’s does', async () => {
    const client = await connect();
    const parked = await bash(client, 'touch infra1');
    expect(parked).toMatchObject({ status: 'parked', text: expect.stringContaining('call it again') });
    expect(await bash(client, 'touch infra1')).toMatchObject({ status: 'parked', approval: parked.approval });
    expect(await waiting('infra1')).toMatchObject([{ id: parked.approval, title: 'bash touch infra1' }]);
    await decide(parked.approval ?? '', 'approve', 'agreed');
    expect((await bash(await connect(undefined, 1), 'touch infra1')).approval).not.toBe(parked.approval);
    expect((await bash(client, 'touch infra11')).status).toBe('parked');
    expect([made('infra1'), made('infra11')]).toEqual([false, false]);
    expect(await bash(await connect(), 'touch infra1')).toMatchObject({ status: 'ok' });
    expect(made('infra1')).toBe(true);
    expect((await bash(client, 'touch infra1')).approval).not.toBe(parked.approval);
  });

  it('is refused with the reason, for as long as the question would have stood', async () => {
    const client = await connect();
    const parked = await bash(client, 'touch infra2');
    await decide(parked.approval ?? '', 'reject', 'not today');
    const refused = { status: 'denied', text: expect.stringContaining('olga: not today') };
    expect(await bash(client, 'touch infra2')).toMatchObject(refused);
    expect(await bash(client, 'touch infra2')).toMatchObject(refused);
    expect(made('infra2')).toBe(false);
  });

  it('is what a client without a person would be asked, where the policy queues that', async () => {
    const parked = await bash(await connect(), 'mkdir made');
    expect(parked.status).toBe('parked');
    expect(await waiting('mkdir made')).toHaveLength(1);
  });

  it('is never asked of the client’s own person; what is theirs to confirm is', async () => {
    const asked: ElicitRequest[] = [];
    const client = await connect((request) => {
      asked.push(request);
      return { action: 'accept', content: { answer: 'allow once' } };
    });
    expect((await bash(client, 'touch infra3')).status).toBe('parked');
    expect(asked).toEqual([]);
    expect((await bash(client, 'rm -rf nothing\u202e')).status).toBe('ok');
    const { message } = asked[0]!.params;
    expect(message).toContain('bash asks · DESTRUCTIVE');
    expect(message).toContain('rm -rf nothing\\u{202e}');
    expect(message).toContain('why: ');
  });

  it('is waited for by a task, which says what it waits for; cancelled, it is withdrawn', async () => {
    const client = await connect();
    const start = (command: string) => {
      const said: string[] = [];
      let task = '';
      let result: CallToolResult | null = null;
      const stream = client.experimental.tasks.callToolStream(
        { name: 'bash', arguments: { command } },
        undefined,
        { task: { ttl: 60_000 } },
      );
      const ended = (async () => {
        for await (const message of stream) {
          if (message.type === 'taskCreated') task = message.task.taskId;
          if (message.type === 'taskStatus') said.push(message.task.statusMessage ?? '');
          if (message.type === 'result') result = message.result as CallToolResult;
        }
      })().catch(() => undefined);
      return { said, ended, task: () => task, result: () => result };
    };
    const one = start('touch infra4');
    const [request] = await found(() => waiting('infra4'));
    await found(async () => one.said.filter((text) => text.includes(`${request?.id ?? ''}: 0 of 1 yes`)));
    await decide(request?.id ?? '', 'approve', 'fine');
    await one.ended;
    expect(one.result()).toMatchObject({ structuredContent: { status: 'ok' } });
    expect(made('infra4')).toBe(true);

    const two = start('touch infra5');
    const [unwanted] = await found(() => waiting('infra5'));
    await client.experimental.tasks.cancelTask(two.task());
    await two.ended;
    const { body } = await api.request('GET', `/v1/approvals/${unwanted?.id ?? ''}?wait=10`, { token: olga });
    expect(body['state']).toBe('withdrawn');
    expect(made('infra5')).toBe(false);
  });
});

describe('a server that goes down', () => {
  it('lets a call that runs end, lets listening clients go, and says to the others that it is going', async () => {
    const api = await TestApi.start({}, undefined, { graceMs: 30_000 });
    const dana = await api.person('dana', ['developer']);
    const { token } = await api.agent(dana);
    const clients = await McpClients.of(api);
    const client = await clients.connect(token);
    let begun = (): void => undefined;
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    const running = client.callTool(
      { name: 'bash', arguments: { command: 'echo begun; sleep 2; echo done' } },
      undefined,
      { onprogress: () => begun() },
    );
    await hasBegun;
    const stopped = api.stop();
    expect(await running).toMatchObject({ structuredContent: { status: 'ok', text: 'begun\ndone' } });
    await stopped;
    await expect(clients.connect(token)).rejects.toThrow();
    await clients.close();
  });
});

/** Asks again until there is something. */
async function found<T>(ask: () => Promise<readonly T[]>): Promise<readonly T[]> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    const answer = await ask();
    if (answer.length > 0) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('it never came');
}
