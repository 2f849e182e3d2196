import { PassThrough } from 'node:stream';
import {
  type ElicitRequest,
  type ElicitResult,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { type HttpService, serveStdio } from '@wrongstack/mcp/server';
import type { EditorSandbox, EditorWorld } from '../acp/acp-editor.spec-support.js';
import { type Answers, INFO, McpWorld, TOKEN } from './mcp-world.spec-support.js';

jest.setTimeout(30_000);

let world: McpWorld;
let sandbox: EditorSandbox;
let service: HttpService;

async function start(wanted?: EditorWorld): Promise<void> {
  world = await McpWorld.start(wanted);
  ({ sandbox, service } = world);
}

const connect = (answer?: Answers, name?: string) => world.connect(answer, name);
const offer = () => world.offer();

const allow = (): ElicitResult => ({ action: 'accept', content: { answer: 'allow once' } });

afterEach(() => world.stop());

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

  it('finds one policy by its name, which it may complete, and is told when its log has grown', async () => {
    const mine = (id: string) =>
      `apiVersion: policy.wrongstack/v1\nkind: CapabilityPolicy\nmetadata: { id: ${id}, revision: 1, scope: { tier: user } }\nrules: []\n`;
    await start({
      files: {
        '~/.wrongstack/policy.d/mine.yaml': mine('mine'),
        '~/.wrongstack/policy.d/other.yaml': mine('other'),
      },
    });
    const client = await connect();
    const [template] = (await client.listResourceTemplates()).resourceTemplates;
    const uri = template?.uriTemplate ?? '';
    const argument = { name: 'name', value: 'm' };
    expect(await client.complete({ ref: { type: 'ref/resource', uri }, argument })).toMatchObject({
      completion: { values: ['mine'], total: 1, hasMore: false },
    });
    const { contents } = await client.readResource({ uri: uri.replace('{name}', 'mine') });
    expect(contents).toMatchObject([{ uri: 'wstack://policy/mine', mimeType: 'application/json' }]);
    const missing = client.readResource({ uri: uri.replace('{name}', 'none') });
    await expect(missing).rejects.toMatchObject({ code: -32002 });

    const own = (await client.listResources()).resources[0]?.uri ?? '';
    const told = new Promise<string>((resolve) => {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri));
    });
    await client.subscribeResource({ uri: own });
    await client.callTool({ name: 'read', arguments: { path: 'a.txt' } });
    expect(await told).toBe(own);
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
