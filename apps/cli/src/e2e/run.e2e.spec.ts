import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type LoopbackModelServer,
  type LoopbackTurn,
  startLoopbackModelServer,
} from '@wrongstack/providers/testing';
import { ended, jsonLines, Sandbox } from './cli-process.spec-support.js';

// Some tests start half a dozen processes, on a machine that may be busy.
jest.setTimeout(30_000);

let sandbox: Sandbox;
let server: LoopbackModelServer;

beforeEach(async () => {
  sandbox = await Sandbox.create({ 'notes.txt': 'the answer is 42\n' });
});

afterEach(async () => {
  await server.close();
  await sandbox.remove();
});

const KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  anthropic: { ANTHROPIC_API_KEY: 'sk-ant-test-0123456789' },
  openai: { OPENAI_API_KEY: 'sk-test-0123456789abcdef' },
  'openai-responses': { OPENAI_API_KEY: 'sk-test-0123456789abcdef' },
};

async function connect(type: string, turns: readonly LoopbackTurn[]): Promise<void> {
  server = await startLoopbackModelServer(turns);
  const baseUrl = type === 'anthropic' ? server.anthropicUrl : server.openAiUrl;
  await sandbox.configure({ provider: { type, model: 'test-model', baseUrl } });
}

const READ_THEN_ANSWER: readonly LoopbackTurn[] = [
  {
    text: 'I look.',
    calls: [{ name: 'read', input: { path: 'notes.txt' } }],
    usage: { input: 100, output: 10 },
  },
  { text: 'It is 42.', usage: { input: 150, output: 5 } },
];

describe.each(['anthropic', 'openai', 'openai-responses'])(
  'wstack run against a server that speaks %s',
  (type) => {
    it('completes a tool call and prints the final answer alone on stdout', async () => {
      await connect(type, READ_THEN_ANSWER);
      const { code, stdout, stderr } = await sandbox.run(['run', 'what is the answer?'], { env: KEYS[type] });
      expect({ code, stdout }).toEqual({ code: 0, stdout: 'It is 42.\n' });
      expect(stderr).toContain('read notes.txt');
      expect(server.requests).toHaveLength(2);
      expect(server.requests[1]?.rawBody).toContain('the answer is 42');
    });

    it('streams events whose last line is the one result', async () => {
      await connect(type, READ_THEN_ANSWER);
      const { code, stdout } = await sandbox.run(['run', 'q', '--output', 'stream-json'], {
        env: KEYS[type],
      });
      const lines = jsonLines(stdout);
      expect(code).toBe(0);
      expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_line, index) => index));
      const types = lines.map(({ type: name }) => name);
      expect(types.filter((name) => name === 'tool.executed')).toHaveLength(1);
      expect(types.indexOf('tool.requested')).toBeLessThan(types.indexOf('tool.decided'));
      expect(types.indexOf('tool.decided')).toBeLessThan(types.indexOf('tool.executed'));
      expect(types.filter((name) => name === 'result')).toHaveLength(1);
      expect(lines.at(-1)).toMatchObject({
        type: 'result',
        status: 'completed',
        exitCode: 0,
        text: 'It is 42.',
        turns: 2,
        usage: { inputTokens: 250, outputTokens: 15 },
        calls: { total: 1, ok: 1, denied: 0 },
        error: null,
      });
    });
  },
);

describe('wstack run', () => {
  it('sends a first request of at most 16 KB for its ten tools', async () => {
    await connect('anthropic', [{ text: 'hi' }]);
    await sandbox.run(['run', 'hi'], { env: KEYS['anthropic'] });
    const body = server.requests[0]?.body as { readonly tools: readonly unknown[] };
    const bytes = Buffer.byteLength(server.requests[0]?.rawBody ?? '');
    expect((bytes / body.tools.length) * 10).toBeLessThanOrEqual(16 * 1024);
  });

  it('denies what would ask, tells the model why, and exits 3 although the model says it is done', async () => {
    await connect('anthropic', [
      { calls: [{ name: 'bash', input: { command: 'touch made' } }] },
      { text: 'Done!' },
    ]);
    const { code, stdout } = await sandbox.run(['run', 'q', '--output', 'json'], { env: KEYS['anthropic'] });
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'stopped_by_policy',
      exitCode: 3,
      denials: [{ tool: 'bash' }],
      calls: { total: 1, denied: 1, ok: 0 },
    });
    expect(existsSync(path.join(sandbox.project, 'made'))).toBe(false);
    expect(server.requests[1]?.rawBody).toContain('tool bash needs confirmation');
  });

  it('gives 0 for the same with --tolerate-denials, and runs it under --yolo', async () => {
    const turns: readonly LoopbackTurn[] = [
      { calls: [{ name: 'bash', input: { command: 'touch made' } }] },
      { text: 'Done' },
    ];
    await connect('anthropic', [...turns, ...turns]);
    const tolerated = await sandbox.run(['run', 'q', '--tolerate-denials'], { env: KEYS['anthropic'] });
    expect(tolerated.code).toBe(0);
    expect(existsSync(path.join(sandbox.project, 'made'))).toBe(false);
    const yolo = await sandbox.run(['run', 'q', '--yolo'], { env: KEYS['anthropic'] });
    expect(yolo.code).toBe(0);
    expect(existsSync(path.join(sandbox.project, 'made'))).toBe(true);
  });

  it.each([
    ['arguments that are cut off', '{"command":"touch made', 'max_tokens' as const],
    ['arguments that are no JSON', '{command: touch made}', 'tool_use' as const],
  ])('never runs a call with %s', async (_what, rawInput, stopReason) => {
    await connect('anthropic', [{ calls: [{ name: 'bash', rawInput }], stopReason }, { text: 'Sorry' }]);
    const { code, stdout } = await sandbox.run(['run', 'q', '--yolo', '--output', 'json'], {
      env: KEYS['anthropic'],
    });
    expect(JSON.parse(stdout)).toMatchObject({ calls: { total: 1, failed: 1 } });
    expect(code).toBe(0);
    expect(existsSync(path.join(sandbox.project, 'made'))).toBe(false);
  });

  it('answers an unknown tool with an error that names what is near', async () => {
    await connect('anthropic', [{ calls: [{ name: 'reed', input: {} }] }, { text: 'Sorry' }]);
    await sandbox.run(['run', 'q'], { env: KEYS['anthropic'] });
    expect(server.requests[1]?.rawBody).toMatch(/reed.*read/);
  });

  it('does not retry a refused key, and says which key it was without showing it', async () => {
    await connect('anthropic', [
      { status: 401, body: '{"error":{"message":"invalid x-api-key sk-ant-test-0123456789"}}' },
    ]);
    const { code, stdout, stderr } = await sandbox.run(['run', 'q'], { env: KEYS['anthropic'] });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('key refused (401)');
    expect(stderr).toContain('ANTHROPIC_API_KEY');
    expect(stderr).not.toContain('sk-ant-test');
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(server.requests).toHaveLength(1);
  });

  it('waits and tries again when the model is busy', async () => {
    await connect('anthropic', [
      { status: 429, headers: { 'retry-after': '0' }, body: '{}' },
      { text: 'Here.' },
    ]);
    const { code, stdout, stderr } = await sandbox.run(['run', 'q'], { env: KEYS['anthropic'] });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Here.\n' });
    expect(stderr).toContain('model busy (429)');
  });

  it('says in one line that nobody is there, with a result on stdout in JSON mode', async () => {
    await connect('anthropic', []);
    await server.close();
    await sandbox.configure({
      provider: { type: 'anthropic', model: 'm', baseUrl: server.anthropicUrl },
      agent: { maxRetries: 0 },
    });
    const { code, stdout, stderr } = await sandbox.run(['run', 'q', '--output', 'json'], {
      env: KEYS['anthropic'],
    });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      type: 'result',
      status: 'failed',
      error: { code: 'provider.unreachable' },
    });
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('asks for a key before it sends anything', async () => {
    server = await startLoopbackModelServer([]);
    const { code, stderr } = await sandbox.run(['run', 'q']);
    expect(code).toBe(1);
    expect(stderr).toContain('ANTHROPIC_API_KEY is not set');
    expect(stderr).toContain('wstack demo');
  });

  it('goes on after it was killed in the middle: nothing lost, nothing run twice', async () => {
    await connect('anthropic', [
      { text: 'First.', calls: [{ name: 'bash', input: { command: 'echo one >> log' } }] },
      { text: 'Second.', calls: [{ name: 'bash', input: { command: 'echo two >> log; sleep 30' } }] },
      { text: 'All done.' },
    ]);
    const child = sandbox.start(['run', 'work', '--yolo'], { env: KEYS['anthropic'] });
    const end = ended(child);
    const log = path.join(sandbox.project, 'log');
    const sessions = path.join(sandbox.home, '.wrongstack/sessions');
    while (!existsSync(log) || !readFileSync(log, 'utf8').includes('two'))
      await new Promise((done) => setTimeout(done, 20));
    const id = path.basename(readdirSync(sessions).find((name) => name.endsWith('.jsonl')) ?? '', '.jsonl');
    expect((await sandbox.run(['session', 'show', id])).stdout).toContain(
      'bash echo two >> log; sleep 30 · under way in another process',
    );
    child.kill('SIGKILL');
    await end;
    const shown = await sandbox.run(['session', 'show', id]);
    expect(shown.stdout).toContain('bash echo two >> log; sleep 30 · interrupted\n  no result is in the log');
    const exported = await sandbox.run(['session', 'export', id, '--format', 'markdown']);
    expect(exported.stdout).toMatch(/\*\*bash\*\* \(\S+\) interrupted: no result is in the log/);
    const { code, stdout } = await sandbox.run(['run', '--resume', '--yolo', '--output', 'json'], {
      env: KEYS['anthropic'],
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ text: 'All done.', status: 'completed' });
    expect(readFileSync(log, 'utf8')).toBe('one\ntwo\n');
    const last = server.requests.at(-1)?.rawBody ?? '';
    expect(last).toContain('First.');
    expect(last).toContain('Second.');
    expect(last).toMatch(/interrupted/i);
  });

  it('reads the prompt from stdin, and refuses to start without one', async () => {
    await connect('anthropic', [{ text: 'ok' }]);
    const piped = await sandbox.run(['run'], { env: KEYS['anthropic'], input: 'from a pipe' });
    expect(piped.stdout).toBe('ok\n');
    expect(server.requests[0]?.rawBody).toContain('from a pipe');
    const empty = await sandbox.run(['run'], { env: KEYS['anthropic'] });
    expect(empty.code).toBe(2);
  });

  it('sends control characters of a model to nobody’s terminal', async () => {
    await connect('anthropic', [{ text: 'a\u001b[31mred\u009b1m\u202Eb' }]);
    const { stdout } = await sandbox.run(['run', 'q'], { env: KEYS['anthropic'] });
    expect(stdout).toBe('a\\u001b[31mred\\u009b1m\\u202eb\n');
  });
});
