import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  type LoopbackModelServer,
  type LoopbackTurn,
  startLoopbackModelServer,
} from '@wrongstack/providers/testing';
import { type Ended, Sandbox } from './cli-process.spec-support.js';

jest.setTimeout(30_000);

const ENV = { ANTHROPIC_API_KEY: 'sk-ant-test-0123456789' };
const HTML = '<html><head><title>502</title></head><body>Bad gateway</body></html>';

let sandbox: Sandbox;
let server: LoopbackModelServer;

beforeEach(async () => {
  sandbox = await Sandbox.create({ 'notes.txt': 'the answer is 42\n' });
  server = await startLoopbackModelServer();
});

afterEach(async () => {
  await server.close();
  await sandbox.remove();
});

function configure(maxRetries: number): Promise<string> {
  return sandbox.configure({
    provider: { type: 'anthropic', model: 'test-model', baseUrl: server.anthropicUrl },
    agent: { maxRetries },
  });
}

/** What was said about the failure: one unbroken line, and no stack around it. */
function failureLine({ stderr }: Ended): string {
  expect(stderr).not.toMatch(/\n\s+at |Error:|\[object/);
  const rows = stderr.split('\n').filter((row) => row.startsWith('✗ '));
  expect(rows).toHaveLength(1);
  return rows[0] ?? '';
}

const FAILURES: readonly (readonly [string, LoopbackTurn, RegExp])[] = [
  [
    '401',
    { status: 401, body: '{"error":{"message":"invalid x-api-key"}}' },
    /^✗ key refused \(401\) by HOST: invalid x-api-key · check ANTHROPIC_API_KEY$/,
  ],
  [
    '403',
    { status: 403, body: '{}' },
    /^✗ access refused \(403\) by HOST · check what ANTHROPIC_API_KEY may use$/,
  ],
  [
    '404',
    { status: 404, body: '{}' },
    /^✗ not found \(404\) at HOST · check provider\.model and provider\.baseUrl$/,
  ],
  [
    '429',
    { status: 429, body: '{}' },
    /^✗ model busy \(429\) at HOST · go on later, or check the rate limits of ANTHROPIC_API_KEY$/,
  ],
  [
    '500',
    { status: 500, body: `{"error":{"message":"${'oh dear '.repeat(20)}"}}` },
    /^✗ model unavailable \(500\) at HOST: (oh dear ){19}oh dear · go on later, or choose another provider\.model$/,
  ],
  [
    'a 502 that is HTML',
    { status: 502, headers: { 'content-type': 'text/html' }, body: HTML },
    /^✗ model unavailable \(502\) at HOST · go on later, or choose another provider\.model$/,
  ],
  [
    'HTML in place of an event stream',
    { headers: { 'content-type': 'text/html' }, rawStream: HTML },
    /^✗ HOST: answers text\/html, not an event stream · check provider\.type and provider\.baseUrl$/,
  ],
  [
    'events that are no JSON',
    { rawStream: 'event: message_start\ndata: {"type":\n\n' },
    /^✗ HOST: an event is not valid JSON · check provider\.type and provider\.baseUrl$/,
  ],
  ['another protocol', { rawStream: 'hello\n\nworld\n\n' }, /^✗ answer of HOST was cut off · go on later/],
  [
    'an error inside the stream',
    {
      rawStream:
        'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"too many"}}\n\n',
    },
    /^✗ HOST: overloaded_error: too many · go on later, or choose another provider\.model$/,
  ],
  [
    'a stream that ends in between',
    { text: 'It is for', cutAfterBytes: 420 },
    /^✗ answer of HOST was cut off · go on later; where it happens again, look at the proxy in between$/,
  ],
  [
    'a connection that breaks in between',
    { text: 'It is for', cutAfterBytes: 420, cutHow: 'reset' },
    /^✗ answer of HOST was cut off \(connection .+\) · go on later/,
  ],
];

describe('a model that fails', () => {
  it.each(FAILURES)(
    'with %s: one line with the next step, exit 1, and the session goes on',
    async (_what, turn, expected) => {
      await configure(0);
      server.push(turn);
      const failed = await sandbox.run(['run', 'what is the answer?'], { env: ENV });
      expect({ code: failed.code, stdout: failed.stdout }).toEqual({ code: 1, stdout: '' });
      expect(failureLine(failed).replaceAll(server.host, 'HOST')).toMatch(expected);
      server.push({ text: 'It is 42.' });
      const resumed = await sandbox.run(['run', '--resume'], { env: ENV });
      expect({ code: resumed.code, stdout: resumed.stdout }).toEqual({ code: 0, stdout: 'It is 42.\n' });
      expect(server.requests.at(-1)?.rawBody).toContain('what is the answer?');
    },
  );

  it('that is not there: said once a try, with the next step and a session to go on with', async () => {
    await configure(1);
    await server.close();
    const down = await sandbox.run(['run', 'what is the answer?'], { env: ENV });
    expect(down.code).toBe(1);
    expect(down.stderr).toContain(`! model unreachable: ${server.host} refused · try 2 of 2 in 1 s\n`);
    expect(failureLine(down)).toBe(
      `✗ model unreachable: ${server.host} refused (gave up after 2 tries) · wstack diag`,
    );
    server = await startLoopbackModelServer([{ text: 'It is 42.' }], { port: server.port });
    expect((await sandbox.run(['run', '--resume'], { env: ENV })).stdout).toBe('It is 42.\n');
  });
});

describe('a model that talks nonsense', () => {
  const ofBash = { name: 'bash', input: { command: 'echo x >> made' } };

  it.each([
    [
      'arguments that are no JSON',
      { calls: [{ name: 'bash', rawInput: '{"command":"echo x >> made"' }] },
      /not valid JSON/,
    ],
    ['a tool that does not exist', { calls: [{ name: 'bsh', input: ofBash.input }] }, /bsh.*bash/],
  ])('with %s is told what is wrong, and nothing runs', async (_what, turn, told) => {
    await configure(0);
    server.push(turn, { text: 'Sorry.' });
    const ended = await sandbox.run(['run', 'go', '--yolo'], { env: ENV });
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 0, stdout: 'Sorry.\n' });
    expect(ended.stderr).not.toMatch(/\n\s+at /);
    // Without the tools: their descriptions name bash and JSON as well.
    const { messages } = server.requests.at(-1)?.body as { readonly messages: unknown };
    expect(JSON.stringify(messages)).toMatch(told);
    expect(existsSync(path.join(sandbox.project, 'made'))).toBe(false);
  });

  const end = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';
  const begin = (id: string) =>
    `event: message_start\ndata: {"type":"message_start","message":{"id":"${id}","type":"message","role":"assistant","content":[],"model":"m","usage":{"input_tokens":1,"output_tokens":1}}}\n\n`;
  const said = (text: string) =>
    [
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
    ]
      .map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`)
      .join('');

  it('with two ends has said what stands before the first', async () => {
    await configure(0);
    server.push({ rawStream: `${begin('a')}${said('One.')}${end}${end}${begin('b')}${said('Two.')}${end}` });
    const ended = await sandbox.run(['run', 'go'], { env: ENV });
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 0, stdout: 'One.\n' });
    expect(server.requests).toHaveLength(1);
  });

  it('with a second answer inside the first has failed', async () => {
    await configure(0);
    server.push({ rawStream: `${begin('a')}${begin('b')}${said('Two.')}${end}` });
    const ended = await sandbox.run(['run', 'go'], { env: ENV });
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 1, stdout: '' });
    expect(failureLine(ended).replace(server.host, 'HOST')).toBe(
      '✗ HOST: a second message begins inside the first · check provider.type and provider.baseUrl',
    );
  });
});
