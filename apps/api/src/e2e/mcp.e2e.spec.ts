import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { TestApi } from '../test-api.spec-support.js';
import { Machine } from './wstack.spec-support.js';

jest.setTimeout(120_000);

const policy = (agent: string): string => `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: payments, revision: 1, scope: { tier: team, ref: payments } }
locks: { headlessConfirm: queue }
rules:
  - { id: nightly, effect: allow, actions: ['*'], who: { agent: [${agent}] }, when: { command: { argv: [touch] } }, because: marks }
  - id: infra
    effect: approve
    actions: ['*']
    when: { command: { argv: [touch, infra] } }
    approvers: { count: 1, from: [platform-oncall], ttlMinutes: 30 }
    because: infra changes need another person
`;

describe('wstack mcp serve on a machine of the fleet', () => {
  let api: TestApi;
  let dana: Machine;
  let serving: ChildProcess;
  let url: URL;
  let holder: string;
  let people: Record<'dana' | 'eve' | 'olga', string>;
  let agents: Record<'nightly' | 'other' | 'eves' | 'elsewhere', { id: string; token: string }>;
  const clients: Client[] = [];

  beforeAll(async () => {
    api = await TestApi.start();
    people = {
      dana: await api.person('dana', ['developer'], ['payments']),
      eve: await api.person('eve', ['developer'], ['payments']),
      olga: await api.person('olga', ['approver'], ['platform-oncall']),
    };
    agents = {
      nightly: await api.agent(people.dana),
      other: await api.agent(people.dana),
      eves: await api.agent(people.eve),
      elsewhere: await api.agent(await api.person('walt', ['developer'], ['web'])),
    };
    await api.publish(await api.person('ed', ['policyEditor']), 'payments', policy(agents.nightly.id));
    await api.app.listen(0, '127.0.0.1');
    const { port } = api.app.getHttpServer().address() as AddressInfo;
    dana = await Machine.create();
    const server = `http://127.0.0.1:${String(port)}`;
    expect(await dana.run(['login', '--server', server, '--token'], `${people.dana}\n`)).toMatchObject({
      code: 0,
    });
    serving = dana.start(['mcp', 'serve', '--http', '--agent', agents.elsewhere.id]);
    const [line] = (await once(createInterface(serving.stderr!), 'line')) as [string];
    url = new URL(/http:\S+/.exec(line)?.[0] ?? '');
    holder = /bearer (\S+)/.exec(line)?.[1] ?? '';
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
  });
  afterAll(async () => {
    serving.kill('SIGTERM');
    expect(await once(serving, 'close')).toEqual([130, null]);
    await dana.remove();
    await api.stop();
  });

  const connect = async (bearer: string, name = 'nightly'): Promise<Client> => {
    const client = new Client({ name, version: '1' });
    const headers = { authorization: `Bearer ${bearer}` };
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    clients.push(client);
    return client;
  };
  const bash = async (client: Client, command: string) =>
    (await client.callTool({ name: 'bash', arguments: { command } }))['structuredContent'] as {
      status: string;
      approval?: string;
    };
  const made = (name: string): boolean => existsSync(path.join(dana.project, name));
  const decide = (id: string) =>
    api.request('POST', `/v1/approvals/${id}/decisions`, {
      token: people.olga,
      body: { decision: 'approve' },
    });

  it('lets a rule allow the agent whose bearer it is, and nobody who only says so', async () => {
    expect(await bash(await connect(agents.nightly.token, 'whatever'), 'touch one')).toMatchObject({
      status: 'ok',
      decision: { by: 'rule nightly' },
    });
    // What would ask is sent to others here, since the policy says so: it is not allowed.
    expect((await bash(await connect(holder, agents.nightly.id), 'touch two')).status).toBe('parked');
    expect((await bash(await connect(agents.other.token), 'touch two')).status).toBe('parked');
    expect([made('one'), made('two')]).toEqual([true, false]);
  });

  it('lets nobody else in: people, agents of others, of other policies, and those that were revoked', async () => {
    await expect(connect('guessed')).rejects.toThrow('no token of the server');
    await expect(connect(people.dana)).rejects.toThrow('no agent’s');
    await expect(connect(agents.eves.token)).rejects.toThrow(`--agent ${agents.eves.id}`);
    await expect(connect(agents.elsewhere.token)).rejects.toThrow('bound by the policies of team:web');
    const gone = await api.agent(people.dana);
    await api.request('DELETE', `/v1/agents/${gone.id}`, { token: people.dana });
    await expect(connect(gone.token)).rejects.toThrow('no token of the server');
  });

  it('parks what others must approve, takes their yes up once, and lets a task wait for it', async () => {
    const client = await connect(holder);
    const parked = await bash(client, 'touch infra');
    expect(parked.status).toBe('parked');
    await decide(parked.approval ?? '');
    expect(await bash(client, 'touch infra')).toMatchObject({ status: 'ok' });
    expect(made('infra')).toBe(true);

    const stream = client.experimental.tasks.callToolStream(
      { name: 'bash', arguments: { command: 'touch infra' } },
      undefined,
      { task: { ttl: 60_000 } },
    );
    for await (const message of stream) {
      if (message.type === 'taskStatus') {
        const waits = /waits for approval (\S+): 0 of 1/.exec(message.task.statusMessage ?? '');
        if (waits !== null) await decide(waits[1] ?? '');
      }
      if (message.type === 'result')
        expect(message.result).toMatchObject({ structuredContent: { status: 'ok' } });
      if (message.type === 'error') throw message.error;
    }
  });

  it('lets no new agent in while the server is away, and the holder of its own bearer works on', async () => {
    const { token } = await api.agent(people.dana);
    const away = await api.agent(people.dana);
    expect((await bash(await connect(token), 'touch three')).status).toBe('parked');
    await api.app.close();
    await expect(connect(away.token)).rejects.toThrow('cannot be asked now');
    const client = await connect(holder);
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
  });
});
