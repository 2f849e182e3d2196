import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { EditorSandbox } from './acp-editor.spec-support.js';

jest.setTimeout(30_000);

/** A client that writes bytes, valid or not. */
class RawClient {
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  readonly served: Promise<void>;
  readonly #controller = new AbortController();
  readonly #messages: Record<string, unknown>[] = [];
  #rest = '';

  constructor(sandbox: EditorSandbox) {
    this.output.on('data', (chunk: Buffer) => {
      const lines = (this.#rest + chunk.toString('utf8')).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) this.#messages.push(JSON.parse(line) as Record<string, unknown>);
      this.output.emit('message');
    });
    this.served = sandbox.serve({ input: this.input, output: this.output }, this.#controller.signal);
  }

  send(message: unknown): void {
    this.input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  }

  request(id: number | string, method: string, params: unknown): void {
    this.send({ jsonrpc: '2.0', id, method, params });
  }

  async next(wanted: (message: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    for (;;) {
      const at = this.#messages.findIndex(wanted);
      if (at !== -1) return this.#messages.splice(at, 1)[0] ?? {};
      await once(this.output, 'message');
    }
  }

  answer(id: number | string | null): Promise<Record<string, unknown>> {
    return this.next((message) => message['id'] === id && !('method' in message));
  }

  async initialize(): Promise<void> {
    this.request('init', 'initialize', { protocolVersion: 1, clientCapabilities: {} });
    await this.answer('init');
  }

  stop(): void {
    this.#controller.abort();
  }
}

let sandbox: EditorSandbox;
let client: RawClient;

beforeEach(async () => {
  sandbox = await EditorSandbox.create({
    turns: [
      { calls: [{ id: 'call-1', tool: 'write', input: { path: 'a.txt', content: 'x' } }] },
      { text: '.' },
    ],
  });
  client = new RawClient(sandbox);
});

afterEach(async () => {
  client.input.end();
  await client.served;
  await sandbox.remove();
});

describe('bad input is answered with an error of the protocol, and the next message is served', () => {
  const alive = async (): Promise<void> => {
    client.request('alive', 'session/list', {});
    expect(await client.answer('alive')).toHaveProperty('result.sessions');
  };

  it.each([
    ['a line that is no JSON', '{"jsonrpc":', -32700],
    ['a batch', '[]', -32600],
    ['a text', '"hello"', -32600],
  ])('%s', async (_name, line, code) => {
    await client.initialize();
    client.send(line);
    expect(await client.answer(null)).toMatchObject({ error: { code } });
    await alive();
  });

  it('a message too large to be one', async () => {
    await client.initialize();
    for (let megabyte = 0; megabyte < 26; megabyte += 1) client.input.write('x'.repeat(1024 * 1024));
    client.send('');
    expect(await client.answer(null)).toMatchObject({ error: { code: -32600 } });
    await alive();
  });

  it('a method that does not exist, and one before initialize', async () => {
    client.request(1, 'session/list', {});
    expect(await client.answer(1)).toMatchObject({ error: { code: -32600 } });
    await client.initialize();
    client.request(2, 'session/format_disk', {});
    expect(await client.answer(2)).toMatchObject({ error: { code: -32601 } });
    await alive();
  });

  it('parameters of another shape, a relative folder, one that is not there', async () => {
    await client.initialize();
    const folders: unknown[] = [7, 'src', '../..', '/no/such/folder'];
    for (const [id, cwd] of folders.entries()) {
      client.request(id, 'session/new', { cwd, mcpServers: [] });
      expect(await client.answer(id)).toMatchObject({ error: { code: -32602 } });
    }
    client.request('none', 'session/prompt', { sessionId: 'none', prompt: [{ type: 'text', text: 'x' }] });
    expect(await client.answer('none')).toMatchObject({ error: { code: -32002 } });
    await alive();
  });

  it('an answer to what was never asked', async () => {
    // The library notes it on stderr.
    const noted = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    await client.initialize();
    client.send({ jsonrpc: '2.0', id: 4711, result: {} });
    client.send({ jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 'nothing' } });
    await alive();
    noted.mockRestore();
  });
});

describe('an editor that goes away', () => {
  const question = async (): Promise<void> => {
    await client.initialize();
    client.request('new', 'session/new', { cwd: sandbox.project, mcpServers: [] });
    const { result } = (await client.answer('new')) as { result: { sessionId: string } };
    client.request('prompt', 'session/prompt', {
      sessionId: result.sessionId,
      prompt: [{ type: 'text', text: 'go' }],
    });
    await client.next((message) => message['method'] === 'session/request_permission');
  };

  it('while a question is open leaves nothing running, and nothing ran', async () => {
    await question();
    client.input.end();
    await client.served;
    await expect(sandbox.read('a.txt')).rejects.toThrow('ENOENT');
  });

  it('may also be sent away: the process is told to end', async () => {
    await question();
    client.stop();
    await client.served;
    await expect(sandbox.read('a.txt')).rejects.toThrow('ENOENT');
  });

  it('may cancel the request itself, and gets its answer', async () => {
    await question();
    client.send({ jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 'prompt' } });
    expect(await client.answer('prompt')).toMatchObject({ result: { stopReason: 'cancelled' } });
  });
});
