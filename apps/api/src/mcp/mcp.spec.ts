import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { TestApi } from '../test-api.spec-support.js';
import { McpClients, sessionOf } from './mcp-client.spec-support.js';

jest.setTimeout(60_000);

const bash = (client: Client, command: string) => client.callTool({ name: 'bash', arguments: { command } });
const allow = () => ({ action: 'accept', content: { answer: 'allow once' } }) as const;
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

describe('the governed tools over /mcp', () => {
  let api: TestApi;
  let clients: McpClients;
  let dana: string;
  let audits: string;
  let one: { readonly id: string; readonly token: string };
  let other: { readonly id: string; readonly token: string };
  beforeAll(async () => {
    api = await TestApi.start();
    dana = await api.person('dana', ['developer'], ['payments']);
    audits = await api.person('aud', ['auditor']);
    [one, other] = [await api.agent(dana), await api.agent(dana)];
    await api.publish(
      await api.person('ed', ['policyEditor']),
      'payments',
      `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: payments, revision: 1, scope: { tier: team, ref: payments } }
rules:
  - id: the-nightly-agent
    effect: allow
    actions: [shell.arbitrary, fs.write]
    who: { agent: [${one.id}] }
    when: { command: { argv: [[touch, sh]] } }
    because: it makes marks
`,
    );
    clients = await McpClients.of(api);
  });
  afterEach(() => clients.close());
  afterAll(() => clients.stop());

  const made = (name: string): string => path.join(api.host.projectRoot, name);
  const records = async (query: string) =>
    (await api.request('GET', `/v1/audit/records?${query}`, { token: audits })).body['items'] as {
      actor: string;
      entry: object;
    }[];
  const of = (agent: string) => ({
    actor: 'dana',
    entry: {
      kind: 'decision',
      decision: { facts: { actor: { agent: { name: agent, authenticated: true } } } },
    },
  });

  it('are listed and called; what is allowed runs, what would ask is denied and told why', async () => {
    const client = await clients.connect(one.token);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['bash', 'read', 'write']),
    );
    expect(await bash(client, 'echo hello')).toMatchObject({
      structuredContent: { status: 'ok', text: 'hello' },
    });
    expect(await bash(client, 'mkdir made')).toMatchObject({
      isError: true,
      structuredContent: { status: 'denied', decision: { by: 'tool bash' } },
    });
    expect(existsSync(made('made'))).toBe(false);
  });

  it('are allowed to the agent that a rule names, and to no other that calls itself the same', async () => {
    expect(await bash(await clients.connect(one.token), 'touch mark')).toMatchObject({
      structuredContent: { status: 'ok', decision: { by: 'rule the-nightly-agent' } },
    });
    expect(await bash(await clients.connect(other.token), 'touch second')).toMatchObject({
      structuredContent: { status: 'denied' },
    });
    expect([existsSync(made('mark')), existsSync(made('second'))]).toEqual([true, false]);
  });

  it('leave their decisions in the organisation’s chain, with whose they were', async () => {
    const client = await clients.connect(other.token);
    await bash(client, 'echo recorded');
    expect(await records('tool=bash&verdict=allow&limit=1')).toMatchObject([of(other.id)]);
    await bash(client, 'mkdir refused');
    expect(await records('tool=bash&verdict=deny&limit=1')).toMatchObject([of(other.id)]);
    // So does a call over REST.
    await api.request('POST', '/v1/tools/bash/calls', {
      token: one.token,
      body: { input: { command: 'echo x' } },
    });
    expect(await records('tool=bash&limit=1')).toMatchObject([of(one.id)]);
    const { body } = await api.request('GET', '/v1/audit/verify', { token: audits });
    expect(body).toMatchObject({ ok: true, flaggedSources: [] });
  });

  it('remember what a connection has read, show it its own log and the policies in force, and nobody else’s', async () => {
    const client = await clients.connect(one.token, allow);
    const write = (content: string) =>
      client.callTool({ name: 'write', arguments: { path: 'notes.txt', content } });
    expect(await write('one\n')).toMatchObject({ structuredContent: { status: 'ok' } });
    expect(await write('two\n')).toMatchObject({ structuredContent: { status: 'ok' } });
    expect(readFileSync(made('notes.txt'), 'utf8')).toBe('two\n');
    const { resources } = await client.listResources();
    const log = resources.find(({ name }) => name === 'session-log')?.uri ?? '';
    expect(JSON.stringify(await client.readResource({ uri: log }))).toContain('notes.txt');
    expect(JSON.stringify(await client.readResource({ uri: 'wstack://policy/' }))).toContain(
      'it makes marks',
    );
    const stranger = await clients.connect(other.token);
    await expect(stranger.readResource({ uri: log })).rejects.toMatchObject({ code: -32002 });
  });

  it('report progress and stop when their call is cancelled; long work runs as a task', async () => {
    const client = await clients.connect(one.token, allow);
    const controller = new AbortController();
    const command = "sh -c 'echo $$ > pid; echo begun; exec sleep 60'";
    const call = client.callTool({ name: 'bash', arguments: { command } }, undefined, {
      signal: controller.signal,
      onprogress: () => controller.abort('enough'),
    });
    await expect(call).rejects.toThrow('enough');
    await until(() => !isAlive(Number(readFileSync(made('pid'), 'utf8'))));
    rmSync(made('pid'));
    const running = client.experimental.tasks.callToolStream(
      { name: 'bash', arguments: { command } },
      undefined,
      { task: { ttl: 60_000 } },
    );
    let task = '';
    const ended = (async () => {
      for await (const message of running) if (message.type === 'taskCreated') task = message.task.taskId;
    })().catch(() => undefined);
    await until(() => existsSync(made('pid')) && readFileSync(made('pid'), 'utf8').endsWith('\n'));
    const pid = Number(readFileSync(made('pid'), 'utf8'));
    await client.experimental.tasks.cancelTask(task);
    await ended;
    await until(() => !isAlive(pid));
  });
});

describe('the door of /mcp', () => {
  let api: TestApi;
  let clients: McpClients;
  let dana: string;
  let agent: { readonly id: string; readonly token: string };
  beforeAll(async () => {
    api = await TestApi.start();
    dana = await api.person('dana', ['developer']);
    agent = await api.agent(dana);
    clients = await McpClients.of(api);
  });
  afterEach(() => clients.close());
  afterAll(() => clients.stop());

  it('opens for enrolled agents alone, and for pages of no other site', async () => {
    const status = async (token: string, headers: Record<string, string> = {}) => {
      const answer = await clients.post(token, PING, headers);
      return [answer.status, /"code":"?([\w.-]+)/.exec(await answer.text())?.[1]];
    };
    expect(await status('guessed')).toEqual([401, 'auth.required']);
    expect(await status(dana)).toEqual([403, 'mcp.agents_only']);
    expect(await status(agent.token, { origin: 'https://evil.example' })).toEqual([403, 'mcp.other_site']);
    expect(await status(agent.token)).toEqual([400, '-32000']);
    const { body } = await api.request('POST', '/mcp', {
      token: agent.token,
      body: JSON.parse(PING) as unknown,
      headers: { host: 'evil.example' },
    });
    expect(body['code']).toBe('mcp.other_site');
  });

  it('answers bad input with what is wrong with it, and goes on', async () => {
    const client = await clients.connect(agent.token);
    const session = { 'mcp-session-id': sessionOf(client) };
    expect((await clients.post(agent.token, '{"jsonrpc":', session)).status).toBe(400);
    expect((await clients.post(agent.token, '"text"', session)).status).toBe(422);
    expect((await clients.post(agent.token, '{"__proto__":{}}', session)).status).toBe(400);
    const huge = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { x: 'x'.repeat(5e6) } });
    expect((await clients.post(agent.token, huge, session)).status).toBe(413);
    const unknown = await clients.post(agent.token, PING.replace('ping', 'no/such'), session);
    expect(await unknown.text()).toContain('-32601');
    expect((await clients.post(agent.token, PING, { 'mcp-session-id': 'made-up' })).status).toBe(404);
    await expect(client.callTool({ name: 'format-disk' })).rejects.toMatchObject({ code: -32602 });
    expect(await client.ping()).toEqual({});
  });

  it('knows a session only for the agent that opened it, and only as long as that may do what it did', async () => {
    const client = await clients.connect(agent.token);
    const stranger = await api.agent(dana);
    const session = { 'mcp-session-id': sessionOf(client) };
    expect((await clients.post(stranger.token, PING, session)).status).toBe(404);
    expect((await clients.post(agent.token, PING, session)).status).toBe(200);
    const doomed = await api.agent(dana);
    const gone = await clients.connect(doomed.token);
    expect((await api.request('DELETE', `/v1/agents/${doomed.id}`, { token: dana })).status).toBe(204);
    await expect(gone.listTools()).rejects.toThrow('auth.required');
  });

  it('takes a token that was issued for an agent, which opens nothing else', async () => {
    const issue = (body: object) => api.request('POST', '/v1/tokens', { token: dana, body });
    const { body } = await issue({ name: 'nightly', agent: agent.id });
    const token = String(body['token']);
    const client = await clients.connect(token);
    expect(await bash(client, 'echo hello')).toMatchObject({ structuredContent: { status: 'ok' } });
    expect((await api.request('GET', '/v1/bundles/org', { token })).status).toBe(403);
    expect((await api.request('GET', '/v1/approvals', { token })).status).toBe(403);
    const eve = await api.person('eve', ['developer']);
    const stolen = await api.request('POST', '/v1/tokens', {
      token: eve,
      body: { name: 'x', agent: agent.id },
    });
    expect([stolen.status, stolen.body['code']]).toEqual([404, 'agent.unknown']);
    const listed = await api.request('GET', `/v1/tokens?agent=${agent.id}`, { token: dana });
    expect(listed.body['items']).toMatchObject([{ name: 'nightly', scopes: ['create:ToolCall'] }]);
    const id = token.split('_')[1] ?? '';
    expect((await api.request('DELETE', `/v1/tokens/${id}`, { token: eve })).status).toBe(404);
    expect((await api.request('DELETE', `/v1/tokens/${id}`, { token: dana })).status).toBe(204);
    await expect(client.listTools()).rejects.toThrow('auth.required');
    await api.request('DELETE', `/v1/agents/${agent.id}`, { token: dana });
    expect((await issue({ name: 'late', agent: agent.id })).body['code']).toBe('agent.revoked');
  });

  it('is described with the other routes', async () => {
    const { body } = await api.request('GET', '/docs/openapi.json', { user: null });
    expect((body['paths'] as Record<string, unknown>)['/mcp']).toMatchObject({
      post: { 'x-ability': 'create:ToolCall', requestBody: { required: true } },
      get: {},
      delete: {},
    });
  });
});

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_000 && !holds(); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(holds()).toBe(true);
}

function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${String(pid)}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
