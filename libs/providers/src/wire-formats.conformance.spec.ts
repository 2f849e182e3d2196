import type { ProviderError } from '@wrongstack/contracts';
import fc from 'fast-check';
import { anthropicFormat } from './anthropic/anthropic-format.js';
import { openAiResponsesFormat } from './openai-responses/openai-responses-format.js';
import { openAiChatFormat, openAiCompatibleFormat } from './openai/openai-chat-format.js';
import { anthropicStream } from './testing/anthropic-stream.js';
import { collectStream, sampleRequest, userSays } from './testing/collect-stream.js';
import { startLoopbackModelServer, type LoopbackModelServer } from './testing/loopback-model-server.js';
import type { LoopbackTurn } from './testing/model-turn-script.js';
import { openAiChatStream } from './testing/openai-chat-stream.js';
import { openAiResponsesStream } from './testing/openai-responses-stream.js';
import { WireFormatProvider, type WireFormatProviderOptions } from './wire-format-provider.js';

const FORMATS = [
  { format: anthropicFormat, stream: anthropicStream, base: 'anthropicUrl' },
  { format: openAiChatFormat, stream: openAiChatStream, base: 'openAiUrl' },
  { format: openAiCompatibleFormat, stream: openAiChatStream, base: 'openAiUrl' },
  { format: openAiResponsesFormat, stream: openAiResponsesStream, base: 'openAiUrl' },
] as const;

const EVERYTHING: LoopbackTurn = {
  thinking: 'Two files → read both.',
  text: 'Ich prüfe das 👩‍💻.',
  calls: [
    { id: 'call_a', name: 'read', input: { path: 'src/größe.ts', lines: [1, 2] } },
    { id: 'call_b', name: 'bash', input: { command: 'echo "a\\nb" | wc -l' } },
  ],
  usage: { input: 100, output: 20, cached: 40 },
};

describe.each(FORMATS)('wire format $format.type', ({ format, stream, base }) => {
  let server: LoopbackModelServer;
  beforeEach(async () => {
    server = await startLoopbackModelServer();
  });
  afterEach(() => server.close());

  const provider = (options: WireFormatProviderOptions = {}) =>
    new WireFormatProvider(format, { apiKey: 'test-key-0123456789', baseUrl: server[base], ...options });
  const play = async (...turns: LoopbackTurn[]) => {
    server.push(...turns);
    return collectStream(provider(), sampleRequest());
  };
  const failure = async (
    turn: LoopbackTurn,
    options: WireFormatProviderOptions = {},
  ): Promise<ProviderError> => {
    server.push(turn);
    return collectStream(provider(options), sampleRequest()).then(
      () => Promise.reject(new Error('it did not fail')),
      (thrown: unknown) => thrown as ProviderError,
    );
  };
  /** One response without a server, from bytes in given pieces. */
  const offline = (pieces: readonly Uint8Array[]) => {
    const fetch = async () =>
      new Response(
        new ReadableStream({
          start(controller) {
            for (const piece of pieces) controller.enqueue(piece);
            controller.close();
          },
        }),
      );
    return collectStream(provider({ fetch }), sampleRequest());
  };

  it('streams text and ends with the whole answer', async () => {
    const { events, response } = await play({ text: 'Hello from loopback.', usage: { input: 3, output: 4 } });
    const text = events.map((event) => (event.type === 'text_delta' ? event.text : '')).join('');
    expect(text).toBe('Hello from loopback.');
    expect(events.filter((event) => event.type === 'text_delta').length).toBeGreaterThan(1);
    expect(response).toEqual({
      content: [{ type: 'text', text: 'Hello from loopback.' }],
      stopReason: 'end_turn',
      usage: { inputTokens: 3, outputTokens: 4, cacheReadTokens: 0, cacheWriteTokens: 0 },
      model: 'some-model',
    });
  });

  it('streams thinking, text and parallel calls, each whole and in order', async () => {
    const { events, response } = await play(EVERYTHING);
    expect(events.filter((event) => event.type === 'tool_use_start')).toEqual([
      { type: 'tool_use_start', id: 'call_a', name: 'read' },
      { type: 'tool_use_start', id: 'call_b', name: 'bash' },
    ]);
    expect(response.content).toEqual([
      expect.objectContaining({ type: 'thinking', text: EVERYTHING.thinking }),
      { type: 'text', text: EVERYTHING.text },
      { type: 'tool_use', id: 'call_a', name: 'read', input: EVERYTHING.calls?.[0]?.input },
      { type: 'tool_use', id: 'call_b', name: 'bash', input: EVERYTHING.calls?.[1]?.input },
    ]);
    expect(response.stopReason).toBe('tool_use');
    expect(response.usage).toMatchObject({ inputTokens: 100, outputTokens: 20, cacheReadTokens: 40 });
  });

  it('takes a call without arguments as an empty object', async () => {
    const { response } = await play({ calls: [{ name: 'read', rawInput: '' }] });
    expect(response.content).toEqual([{ type: 'tool_use', id: expect.any(String), name: 'read', input: {} }]);
  });

  it.each([
    ['cut off in the middle', '{"command":"rm -rf build', 'max_tokens'],
    ['cut off before they began', '', 'max_tokens'],
    ['no JSON at all', 'rm -rf build', 'tool_use'],
    ['no object', '["rm"]', 'tool_use'],
    ['two values', '{"command":"ls"}{"command":"rm"}', 'tool_use'],
  ] as const)('never repairs arguments: %s', async (_name, rawInput, stopReason) => {
    const { response } = await play({ calls: [{ id: 'c1', name: 'bash', rawInput }], stopReason });
    expect(response.content).toEqual([
      {
        type: 'tool_use',
        id: 'c1',
        name: 'bash',
        input: {},
        inputError: { raw: rawInput, message: expect.stringMatching(/cut off|JSON/) },
      },
    ]);
  });

  it('gives calls that share an id, or bring one from an earlier turn, ids of their own', async () => {
    server.push({
      calls: [
        { id: 'old', name: 'read' },
        { id: 'same', name: 'read' },
        { id: 'same', name: 'bash' },
        { id: '../../etc/x', name: 'bash' },
      ],
    });
    const earlier = sampleRequest({
      messages: [
        userSays('go'),
        { role: 'assistant', content: [{ type: 'tool_use', id: 'old' as never, name: 'read', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', id: 'old' as never, content: [], isError: false }] },
      ],
    });
    const { response } = await collectStream(provider(), earlier);
    const ids = response.content.map((block) => (block.type === 'tool_use' ? block.id : ''));
    expect(new Set([...ids, 'old']).size).toBe(5);
    expect(ids[1]).toBe('same');
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]+$/);
  });

  it('reports arguments that are nested without end, and keeps them as text', async () => {
    const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    const { response } = await play({
      calls: [
        { name: 'read', rawInput: nested(100) },
        { name: 'read', rawInput: nested(101) },
        { name: 'read', rawInput: nested(5_000) },
      ],
    });
    const errors = response.content.map((block) => (block.type === 'tool_use' ? block.inputError : null));
    expect(errors).toEqual([
      undefined,
      { raw: nested(101), message: 'the arguments are nested deeper than 100 levels' },
      { raw: nested(5_000), message: 'the arguments are nested deeper than 100 levels' },
    ]);
  });

  it('passes on the name of a tool that nobody has', async () => {
    const { response } = await play({ calls: [{ name: 'no such tool!', input: {} }] });
    expect(response.content).toMatchObject([{ type: 'tool_use', name: 'no such tool!' }]);
  });

  it('ignores a second answer behind the first', async () => {
    const once = stream({ text: 'first' }, 0, 'm');
    const { response } = await play({ rawStream: once + stream({ text: 'second' }, 1, 'm') });
    expect(response.content).toEqual([{ type: 'text', text: 'first' }]);
  });

  it('uses one connection for turn after turn', async () => {
    for (const text of ['one', 'two', 'three']) {
      await play({ text });
      // Between two turns tools run; here, the client gets the moment it needs to take its socket back.
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    expect(new Set(server.requests.map(({ connection }) => connection)).size).toBe(1);
  });

  it('does not wait for a server that keeps a finished answer open', async () => {
    const whole = stream({ text: 'whole' }, 0, 'm');
    const { response } = await play({ rawStream: `${whole}: still here`, hangAfterBytes: whole.length + 5 });
    expect(response.content).toEqual([{ type: 'text', text: 'whole' }]);
  });

  it('does without usage where a server sends none', async () => {
    const { response } = await play({ text: 'hi', usage: null });
    expect(response.usage).toEqual({
      inputTokens: 0,
      outputTokens: 0,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
    });
  });

  it('reads the same from a stream in pieces of any size', async () => {
    const whole = Buffer.from(stream(EVERYTHING, 0, 'some-model'));
    const expected = await offline([whole]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), async (sizes) => {
        const pieces: Uint8Array[] = [];
        for (let at = 0, i = 0; at < whole.length; i += 1) {
          const size = sizes[i % sizes.length]!;
          pieces.push(whole.subarray(at, at + size));
          at += size;
        }
        expect(await offline(pieces)).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  it('reads the same from a stream with CRLF, and over HTTP in single bytes', async () => {
    const whole = stream(EVERYTHING, 0, 'some-model');
    const expected = await offline([Buffer.from(whole)]);
    expect(await offline([Buffer.from(whole.replaceAll('\n', '\r\n'))])).toEqual(expected);
    expect(await play({ ...EVERYTHING, pieces: [1, 7, 300] })).toEqual(expected);
  });

  it('is cut off at any byte: an error that may be retried, or the whole answer, never a part of it', async () => {
    const whole = Buffer.from(
      stream({ text: 'ü', calls: [{ id: 'c', name: 'read', input: { p: 1 } }] }, 0, 'm'),
    );
    const expected = await offline([whole]);
    for (let cut = 0; cut < whole.length; cut += 1) {
      const outcome = await offline([whole.subarray(0, cut)]).catch(
        (thrown: unknown) => thrown as ProviderError,
      );
      if ('response' in outcome) expect(outcome.response.content).toEqual(expected.response.content);
      else expect(outcome).toMatchObject({ code: 'provider.truncated', retryable: true });
    }
  });

  it.each(['end', 'reset'] as const)('notices a connection that is cut (%s)', async (cutHow) => {
    const error = await failure({ ...EVERYTHING, cutAfterBytes: 400, cutHow });
    expect(error).toMatchObject({ code: 'provider.truncated', retryable: true });
    expect(error.message).toContain(server.host);
  });

  it('gives up on an answer that never ends', async () => {
    const piece = new TextEncoder().encode(`: ${'x'.repeat(1024 * 1024)}\n\n`);
    let sent = 0;
    const fetch = async () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent += 1;
            controller.enqueue(piece);
          },
        }),
      );
    const ended = collectStream(provider({ fetch }), sampleRequest());
    await expect(ended).rejects.toMatchObject({ code: 'provider.malformed', retryable: false });
    expect(sent).toBeLessThan(70);
  });

  it('refuses a stream that is not its format', async () => {
    expect(await failure({ rawStream: 'data: {"type": oops}\n\n' })).toMatchObject({
      code: 'provider.malformed',
      retryable: false,
    });
    expect(await failure({ rawStream: 'data: [1]\n\n' })).toMatchObject({ code: 'provider.malformed' });
  });

  it('sends the key in its own header only, and no other authentication', async () => {
    server.push({ text: 'ok' });
    const request = sampleRequest({
      headers: { 'x-tenant': 'a', Authorization: 'Bearer other', 'x-api-key': 'o' },
    });
    await collectStream(provider({ headers: { 'X-Extra': 'yes' } }), request);
    const sent = server.requests[0]!;
    expect(sent.headers).toMatchObject({ 'x-tenant': 'a', 'x-extra': 'yes' });
    expect(JSON.stringify(sent.headers).match(/test-key-0123456789/g)).toHaveLength(1);
    expect(JSON.stringify(sent.headers)).not.toContain('other');
    expect(sent.rawBody).not.toContain('test-key');
  });

  it('replaces half a character that a tool may have produced', async () => {
    server.push({ text: 'ok' });
    await collectStream(provider(), sampleRequest({ messages: [userSays('a\ud83d b \\ud83d')] }));
    expect(server.requests[0]!.rawBody).toContain('a\ufffd b \\\\ud83d');
  });

  it('stops reading when the caller leaves, and when the caller aborts', async () => {
    server.push({ text: 'long answer', hangAfterBytes: 1400 }, { text: 'x', hangAfterBytes: 0 });
    const { signal } = new AbortController();
    for await (const event of provider().stream(sampleRequest(), { signal })) {
      expect(event.type).not.toBe('done');
      break;
    }
    const abort = new AbortController();
    const reason = new Error('by the person');
    setTimeout(() => abort.abort(reason), 20);
    await expect(collectStream(provider(), sampleRequest(), abort.signal)).rejects.toBe(reason);
  });

  it('gives up on a server that falls silent', async () => {
    const error = await failure({ text: 'x', hangAfterBytes: 30 }, { idleTimeoutMs: 60 });
    expect(error).toMatchObject({ code: 'provider.unreachable', retryable: true });
    expect(error.message).toMatch(/^model silent for 1 s: 127\.0\.0\.1:\d+$/);
  });
});
