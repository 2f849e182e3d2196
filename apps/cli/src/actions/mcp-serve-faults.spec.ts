import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { serveStdio } from '@wrongstack/mcp/server';
import type { EditorSandbox, EditorWorld } from '../acp/acp-editor.spec-support.js';
import { type Answers, INFO, McpWorld } from './mcp-world.spec-support.js';

jest.setTimeout(30_000);

let world: McpWorld;
let sandbox: EditorSandbox;

async function start(wanted?: EditorWorld): Promise<void> {
  world = await McpWorld.start(wanted);
  ({ sandbox } = world);
}

const connect = (answer?: Answers, name?: string) => world.connect(answer, name);
const offer = () => world.offer();
const allow = (): ElicitResult => ({ action: 'accept', content: { answer: 'allow once' } });

afterEach(() => world.stop());

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
