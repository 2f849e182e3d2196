import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  type ElicitRequest,
  ElicitRequestSchema,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { JsonlSessionStore } from '@wrongstack/adapters';
import { GovernedOffer, type HttpService, serveHttp, serveStdio } from '@wrongstack/mcp/server';
import { EditorSandbox, type EditorWorld } from '../acp/acp-editor.spec-support.js';
import { boot } from '../app/boot.js';
import { bootRequest } from '../app/boot-request.js';
import type { Host } from '../app/host.js';
import { openMcpSession } from './mcp-serve-session.js';

jest.setTimeout(30_000);

const INFO = { name: 'wstack', title: 'WrongStack', version: '0.0.0' };
const TOKEN = 'test-token';

let sandbox: EditorSandbox;
let host: Host;
let service: HttpService;
const clients: Client[] = [];

async function start(world: EditorWorld = {}): Promise<void> {
  sandbox = await EditorSandbox.create(world);
  host = await boot(bootRequest({ cwd: sandbox.project }, false, sandbox.environment()));
  service = await serveHttp({ ...INFO, port: 0, token: TOKEN, offer });
}

async function offer(): Promise<GovernedOffer> {
  const store = new JsonlSessionStore(path.join(sandbox.home, '.wrongstack', 'sessions', 'mcp'));
  return new GovernedOffer(await openMcpSession(host, store));
}

/** A real client over real HTTP; with `answer` it can ask its person. */
async function connect(
  answer?: (request: ElicitRequest) => ElicitResult | Promise<ElicitResult>,
  name = 'other-agent',
) {
  const capabilities = answer === undefined ? {} : { elicitation: {} };
  const client = new Client({ name, version: '1' }, { capabilities });
  if (answer !== undefined) client.setRequestHandler(ElicitRequestSchema, answer);
  const headers = { authorization: `Bearer ${TOKEN}` };
  const transport = new StreamableHTTPClientTransport(new URL(service.url), { requestInit: { headers } });
  await client.connect(transport);
  clients.push(client);
  return client;
}

const allow = (): ElicitResult => ({ action: 'accept', content: { answer: 'allow once' } });

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await service.close();
  await host.close();
  await sandbox.remove();
});

describe('a client of the governed tools', () => {
  it('sees them with titles, hints and what they answer', async () => {
    await start();
    const { tools } = await (await connect()).listTools();
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    expect(byName.get('read')).toMatchObject({
      title: 'Read',
      annotations: { readOnlyHint: true, destructiveHint: false },
      execution: { taskSupport: 'forbidden' },
    });
    expect(byName.get('bash')).toMatchObject({
      annotations: { readOnlyHint: false, openWorldHint: true },
      execution: { taskSupport: 'optional' },
    });
    expect(byName.get('bash')?.outputSchema?.required).toEqual(['status', 'text', 'truncated']);
    for (const ours of ['delegate', 'mode', 'todo', 'tool-use'])
      expect([...byName.keys()]).not.toContain(ours);
  });

  it('runs what needs no question, and what it has read it may change later', async () => {
    await start({ files: { 'a.txt': 'one\n' } });
    const client = await connect(allow);
    expect(await client.callTool({ name: 'read', arguments: { path: 'a.txt' } })).toMatchObject({
      isError: false,
      structuredContent: { status: 'ok', text: 'one' },
    });
    expect(
      await client.callTool({ name: 'write', arguments: { path: 'a.txt', content: 'two\n' } }),
    ).toMatchObject({ structuredContent: { status: 'ok', files: [{ added: 1, removed: 1 }] } });
    expect(await sandbox.read('a.txt')).toBe('two\n');
  });

  it('that cannot ask is denied what would ask, and told why', async () => {
    await start();
    const result = await (await connect()).callTool({ name: 'bash', arguments: { command: 'touch x' } });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { status: 'denied', decision: { verdict: 'deny', by: 'tool bash' } },
    });
    await expect(sandbox.read('x')).rejects.toThrow('ENOENT');
  });

  it('that can ask shows its person the whole question; no is no, and always is not offered', async () => {
    await start({ files: { 'build/a': '' } });
    const asked: ElicitRequest[] = [];
    const client = await connect((request) => {
      asked.push(request);
      return { action: 'accept', content: { answer: 'reject', reason: 'keep it' } };
    });
    const result = await client.callTool({ name: 'bash', arguments: { command: 'rm -rf build' } });
    expect(JSON.stringify(result.content)).toContain('keep it');
    expect(asked[0]?.params.message).toContain('DESTRUCTIVE');
    expect(asked[0]?.params.message).toContain('rm -rf build');
    expect(JSON.stringify(asked[0]?.params)).toContain('["reject","allow once"]');
    expect(await sandbox.read('build/a')).toBe('');
  });

  it('is nobody that a rule could allow: its name is only what it says', async () => {
    await start({
      files: {
        '~/.wrongstack/policy.d/mine.yaml': [
          'apiVersion: policy.wrongstack/v1',
          'kind: CapabilityPolicy',
          'metadata: { id: mine, revision: 1, scope: { tier: user }, owner: me }',
          'rules:',
          '  - id: trusted-agent',
          '    effect: allow',
          '    actions: [shell.arbitrary]',
          '    when: { command: { argv: [echo] } }',
          '    who: { agent: [trusted] }',
          '    because: trusted agent',
          '  - id: anybody',
          '    effect: allow',
          '    actions: [shell.arbitrary]',
          '    when: { command: { argv: [pwd] } }',
          '    because: harmless whoever asks',
        ].join('\n'),
      },
    });
    const client = await connect(undefined, 'trusted');
    const run = (command: string) => client.callTool({ name: 'bash', arguments: { command } });
    expect(await run('pwd')).toMatchObject({ structuredContent: { status: 'ok' } });
    expect(await run('echo hi')).toMatchObject({ structuredContent: { status: 'denied' } });
  });

  it('gets progress, and stops a command by cancelling its call', async () => {
    await start();
    const client = await connect(allow);
    const controller = new AbortController();
    const progress: string[] = [];
    const call = client.callTool(
      { name: 'bash', arguments: { command: 'echo $$ > pid; echo begun; sleep 30' } },
      undefined,
      {
        signal: controller.signal,
        onprogress: ({ message }) => {
          progress.push(message ?? '');
          controller.abort('enough');
        },
      },
    );
    await expect(call).rejects.toThrow('enough');
    expect(progress.join('')).toContain('begun');
    await gone(Number(await sandbox.read('pid')));
  });

  it('may start long work as a task, fetch its result, or cancel it', async () => {
    await start();
    const client = await connect(allow);
    const statuses: string[] = [];
    const stream = client.experimental.tasks.callToolStream(
      { name: 'bash', arguments: { command: 'echo done' } },
      undefined,
      { task: { ttl: 60_000 } },
    );
    for await (const message of stream) {
      statuses.push(message.type);
      if (message.type === 'result')
        expect(message.result).toMatchObject({ structuredContent: { text: 'done' } });
    }
    expect(statuses[0]).toBe('taskCreated');
    expect(statuses.at(-1)).toBe('result');

    const long = client.experimental.tasks.callToolStream(
      { name: 'bash', arguments: { command: 'echo $$ > pid; sleep 30' } },
      undefined,
      { task: { ttl: 60_000 } },
    );
    let task = '';
    const ended = (async () => {
      for await (const message of long) if (message.type === 'taskCreated') task = message.task.taskId;
    })();
    await started('pid');
    await client.experimental.tasks.cancelTask(task);
    await ended.catch(() => undefined);
    await gone(Number(await sandbox.read('pid')));
  });

  it('reads its own log and the policies, and no other session', async () => {
    await start({ files: { 'a.txt': 'x' } });
    const [client, other] = [await connect(), await connect()];
    await client.callTool({ name: 'read', arguments: { path: 'a.txt' } });
    const { resources } = await client.listResources();
    const own = resources.find(({ name }) => name === 'session-log')?.uri ?? '';
    const { contents } = await client.readResource({ uri: own });
    expect(JSON.stringify(contents)).toContain('tool_result');
    await expect(other.readResource({ uri: own })).rejects.toMatchObject({ code: -32002 });
    await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toMatchObject({ code: -32002 });
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain('explain-denial');
  });

  it('is told by the protocol that a tool does not exist', async () => {
    await start();
    await expect((await connect()).callTool({ name: 'format-disk' })).rejects.toMatchObject({ code: -32602 });
  });
});

describe('the HTTP endpoint', () => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(service.url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body,
    });

  it('refuses strangers, other sites, unknown sessions, broken and huge bodies', async () => {
    await start();
    expect((await post('{}', { authorization: 'Bearer guessed' })).status).toBe(401);
    expect((await post('{}', { origin: 'https://evil.example' })).status).toBe(403);
    expect((await post('{}', { 'mcp-session-id': 'made-up' })).status).toBe(404);
    expect((await post('{')).status).toBe(400);
    expect((await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }))).status).toBe(400);
    expect((await post('x'.repeat(5 * 1024 * 1024))).status).toBe(413);
    expect(await fetch(service.url.replace('/mcp', '/')).then(({ status }) => status)).toBe(401);
    expect((await connect()).getServerVersion()).toMatchObject({ name: 'wstack' });
  });
});

describe('stdio', () => {
  it('answers what is no message with an error, and ends with its client', async () => {
    await start();
    const input = new PassThrough();
    const output = new PassThrough();
    const served = serveStdio(await offer(), INFO, { input, output }, new AbortController().signal);
    input.write('{"jsonrpc":\n[1]\n{"id":7}\n');
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 8, method: 'no/such/method' })}\n`);
    const answers: unknown[] = [];
    for await (const chunk of output) {
      for (const line of String(chunk).trim().split('\n')) answers.push(JSON.parse(line));
      if (answers.length === 4) break;
    }
    expect(answers).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: null, error: { code: -32600 } },
      { id: 7, error: { code: -32600 } },
      { id: 8, error: { code: -32601 } },
    ]);
    input.end();
    await served;
  });
});

/** Resolves once a command has written its file. */
async function started(name: string): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    if ((await sandbox.read(name).catch(() => '')).trim() !== '') return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${name} was never written`);
}

/** Resolves once a process has ended. */
async function gone(pid: number): Promise<void> {
  expect(pid).toBeGreaterThan(1);
  for (let tries = 0; tries < 500; tries += 1) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`process ${pid} goes on`);
}

describe('a question to a client’s person', () => {
  const held = () => {
    let onAsked = (): void => undefined;
    const asked = new Promise<void>((resolve) => (onAsked = resolve));
    let answer = (_result: ElicitResult): void => undefined;
    const answered = new Promise<ElicitResult>((resolve) => (answer = resolve));
    const handler = (): Promise<ElicitResult> => {
      onAsked();
      return answered;
    };
    return { asked, handler, answer };
  };

  it('is over when its call is cancelled: a yes that comes too late runs nothing', async () => {
    await start();
    const question = held();
    const client = await connect(question.handler);
    const controller = new AbortController();
    const call = client.callTool({ name: 'bash', arguments: { command: 'touch x' } }, undefined, {
      signal: controller.signal,
    });
    await question.asked;
    controller.abort('enough');
    await expect(call).rejects.toThrow('enough');
    question.answer(allow());
    expect(await client.callTool({ name: 'read', arguments: { path: '.git' } })).toHaveProperty('content');
    await expect(sandbox.read('x')).rejects.toThrow('ENOENT');
  });

  it('is over when its client ends the session or vanishes, and the server serves others', async () => {
    await start();
    const [ending, vanishing] = [held(), held()];
    const one = await connect(ending.handler);
    const two = await connect(vanishing.handler, 'second');
    const calls = [one, two].map((client) =>
      client.callTool({ name: 'bash', arguments: { command: 'touch x' } }).catch(() => undefined),
    );
    await Promise.all([ending.asked, vanishing.asked]);
    await (one.transport as StreamableHTTPClientTransport).terminateSession();
    await Promise.all([one.close(), two.close()]);
    await Promise.all(calls);
    const other = await connect(allow, 'third');
    expect(await other.callTool({ name: 'bash', arguments: { command: 'echo alive' } })).toMatchObject({
      structuredContent: { status: 'ok', text: 'alive' },
    });
    await expect(sandbox.read('x')).rejects.toThrow('ENOENT');
  });

  it('of a task is over when the task is cancelled', async () => {
    await start();
    const question = held();
    const client = await connect(question.handler);
    let task = '';
    const stream = client.experimental.tasks.callToolStream(
      { name: 'bash', arguments: { command: 'touch x' } },
      undefined,
      { task: { ttl: 60_000 } },
    );
    const ended = (async () => {
      for await (const message of stream) if (message.type === 'taskCreated') task = message.task.taskId;
    })();
    await question.asked;
    await client.experimental.tasks.cancelTask(task);
    question.answer(allow());
    await ended.catch(() => undefined);
    expect(await client.experimental.tasks.getTask(task)).toMatchObject({ status: 'cancelled' });
    await expect(sandbox.read('x')).rejects.toThrow('ENOENT');
  });

  it('answered with something that was not offered is a no', async () => {
    await start();
    const client = await connect(() => ({ action: 'accept', content: { answer: 'always' } }));
    const result = await client
      .callTool({ name: 'bash', arguments: { command: 'touch x' } })
      .catch((error: unknown) => ({ structuredContent: { status: 'denied', error } }));
    expect(result).toMatchObject({ structuredContent: { status: expect.stringMatching(/denied|failed/) } });
    await expect(sandbox.read('x')).rejects.toThrow('ENOENT');
  });
});

describe('a client that uses the protocol wrongly', () => {
  it('repeats an id, cancels what is unknown or done, and asks for tasks that are none', async () => {
    await start({ files: { 'a.txt': 'one\n' } });
    const input = new PassThrough();
    const output = new PassThrough();
    const served = serveStdio(await offer(), INFO, { input, output }, new AbortController().signal);
    const answers: { id?: unknown; error?: { code: number } }[] = [];
    const lines = createInterface(output);
    lines.on('line', (line) => answers.push(JSON.parse(line) as (typeof answers)[number]));
    const send = (message: object): void =>
      void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const until = async (count: number): Promise<void> => {
      while (answers.length < count) await once(lines, 'line');
    };
    const capabilities = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    send({ id: 1, method: 'initialize', params: capabilities });
    await until(1);
    send({ method: 'notifications/initialized' });
    send({ method: 'notifications/cancelled', params: { requestId: 4711 } });
    send({ method: 'notifications/cancelled', params: {} });
    send({ id: 99, result: {} });
    const read = { name: 'read', arguments: { path: 'a.txt' } };
    send({ id: 2, method: 'tools/call', params: read });
    send({ id: 2, method: 'tools/call', params: read });
    await until(3);
    send({ method: 'notifications/cancelled', params: { requestId: 2 } });
    send({ id: 3, method: 'tasks/get', params: { taskId: 'none' } });
    send({ id: 4, method: 'tools/call', params: { name: 'read', arguments: 'a.txt' } });
    send({ id: 5, method: 'resources/read', params: { uri: 'wstack://sessions/../../etc' } });
    send({ id: 6, method: 'tools/list', params: {} });
    await until(7);
    expect(answers.filter(({ id }) => id === 2)).toHaveLength(2);
    const faults = Object.fromEntries(answers.map(({ id, error }) => [String(id), error?.code ?? null]));
    expect(faults).toEqual({ 1: null, 2: null, 3: -32602, 4: -32602, 5: -32002, 6: null });
    input.end();
    await served;
  });
});
