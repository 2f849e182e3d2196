import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message } from '@wrongstack/contracts';
import { collectStream, sampleRequest, userSays } from '../testing/collect-stream.js';
import type { Script } from './script.js';
import { ScriptedProvider } from './scripted-provider.js';

const SCRIPT: Script = {
  name: 'demo',
  turns: [
    { text: 'Let me look.', calls: [{ tool: 'read', input: { path: '{{root}}/a.ts' } }] },
    { error: { code: 'provider.overloaded', status: 529, retryAfterMs: 5 } },
    {
      expect: { results: [{ contains: 'return a', isError: false }] },
      text: 'Done.',
      usage: { outputTokens: 7 },
    },
  ],
};
const answered = (text: string, isError = false): Message[] => [
  userSays('go'),
  { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1_1' as never, name: 'read', input: {} }] },
  {
    role: 'user',
    content: [{ type: 'tool_result', id: 'call_1_1' as never, content: [{ type: 'text', text }], isError }],
  },
];

describe('a scripted provider', () => {
  it('plays its turns, failing where it is written so', async () => {
    const provider = new ScriptedProvider(SCRIPT, { variables: { root: '/p' } });
    const first = await collectStream(provider, sampleRequest());
    expect(first.events.map((event) => event.type)).toEqual([
      'text_delta',
      'text_delta',
      'text_delta',
      'tool_use_start',
      'done',
    ]);
    expect(first.response).toMatchObject({
      stopReason: 'tool_use',
      content: [
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', id: 'call_1_1', name: 'read', input: { path: '/p/a.ts' } },
      ],
    });
    const next = sampleRequest({ messages: answered('return a + b') });
    await expect(collectStream(provider, next)).rejects.toMatchObject({
      code: 'provider.overloaded',
      status: 529,
      retryable: true,
      retryAfterMs: 5,
    });
    const last = await collectStream(provider, next);
    expect(last.response).toMatchObject({
      stopReason: 'end_turn',
      usage: { inputTokens: 0, outputTokens: 7 },
    });
    await expect(collectStream(provider, next)).rejects.toMatchObject({
      code: 'provider.bad_request',
      retryable: false,
      message: 'script:demo has ended: request 4 came, it holds 3 turns',
    });
  });

  it('goes on behind what a resumed conversation has answered already', async () => {
    const provider = new ScriptedProvider({ turns: [SCRIPT.turns[0]!, SCRIPT.turns[2]!] });
    const { response } = await collectStream(provider, sampleRequest({ messages: answered('return a') }));
    expect(response.content).toEqual([{ type: 'text', text: 'Done.' }]);
  });

  it.each([
    [answered('something else'), /turn 2 expects result 1 to contain "return a", got "something else"$/],
    [answered('return a', true), /turn 2 expects result 1 to succeed, got/],
    [[...answered('x'), userSays('stop')], /turn 2 expects result 1, got 0 results$/],
  ])('says where the conversation does not fit', async (messages, message) => {
    const provider = new ScriptedProvider({ turns: [SCRIPT.turns[0]!, SCRIPT.turns[2]!] });
    await expect(collectStream(provider, sampleRequest({ messages }))).rejects.toMatchObject({
      code: 'provider.bad_request',
      retryable: false,
      message: expect.stringMatching(message),
    });
  });

  it('plays replies that do not parse', async () => {
    const provider = new ScriptedProvider({
      turns: [{ calls: [{ tool: 'bash', rawInput: '{"command":"rm' }] }],
    });
    const { response } = await collectStream(provider, sampleRequest());
    expect(response.content).toMatchObject([{ inputError: { raw: '{"command":"rm' } }]);
  });

  it('answers under its own name, whatever model was asked for', async () => {
    const named = new ScriptedProvider({ model: 'recorded-1', turns: [{ text: 'hello' }] });
    expect((await collectStream(named, sampleRequest())).response.model).toBe('recorded-1');
    expect(await named.modelName()).toBe('recorded-1');
    const nameless = new ScriptedProvider({ name: 'demo', turns: [{ text: 'hello' }] });
    expect((await collectStream(nameless, sampleRequest())).response.model).toBe('script:demo');
    expect(await new ScriptedProvider('/no/such/file.json').modelName()).toBe('script:file.json');
  });

  it('stops waiting when it is aborted', async () => {
    const provider = new ScriptedProvider({ turns: [{ text: 'late', delayMs: 60_000 }] });
    const abort = new AbortController();
    const reason = new Error('enough');
    setTimeout(() => abort.abort(reason), 10);
    await expect(collectStream(provider, sampleRequest(), abort.signal)).rejects.toBe(reason);
  });

  describe('from a file', () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'script-'));
    });
    afterAll(() => rm(folder, { recursive: true }));

    it('reads it with the first request', async () => {
      const file = join(folder, 'hello.json');
      const provider = new ScriptedProvider(file);
      await writeFile(file, JSON.stringify({ turns: [{ text: 'hello' }] }));
      expect(provider.endpoint).toBe('script:hello.json');
      expect((await collectStream(provider, sampleRequest())).response.content).toHaveLength(1);
    });

    it.each([
      ['{', 'script.unreadable', /broken\.json/],
      ['[]', 'script.invalid', /the document is not a JSON object/],
      ['{}', 'script.invalid', /\/turns is missing/],
      ['{"turns":[{"expct":{}}]}', 'script.invalid', /\/turns\/0\/expct is unknown/],
      ['{"turns":[{},{"calls":[{"input":{}}]}]}', 'script.invalid', /\/turns\/1\/calls is malformed/],
    ])('names what is wrong with %s', async (content, code, message) => {
      const file = join(folder, 'broken.json');
      await writeFile(file, content);
      await expect(collectStream(new ScriptedProvider(file), sampleRequest())).rejects.toMatchObject({
        code,
        message: expect.stringMatching(message),
      });
    });
  });
});
