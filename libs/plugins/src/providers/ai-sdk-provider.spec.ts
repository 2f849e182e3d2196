import { type ModelEvent, type ModelRequest } from '@wrongstack/contracts';
import type { AiCallOptions, AiLanguageModel } from './ai-language-model.js';
import { AiSdkProvider } from './ai-sdk-provider.js';

const REQUEST: ModelRequest = {
  model: 'm-1',
  system: [{ type: 'text', text: 'Be brief.' }],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'look' }] },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'call_0' as never, name: 'read', input: { path: 'a' } }],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          id: 'call_0' as never,
          isError: true,
          content: [{ type: 'text', text: 'no file' }],
        },
      ],
    },
  ],
  tools: [{ name: 'read', description: 'Reads.', inputSchema: { type: 'object' } }],
  maxOutputTokens: 100,
};

function model(parts: readonly unknown[], asked: AiCallOptions[] = []): AiLanguageModel {
  return {
    modelId: 'm-1',
    provider: 'test',
    doStream: async (options) => {
      asked.push(options);
      return {
        stream: new ReadableStream({
          start(controller) {
            for (const part of parts) controller.enqueue(part);
            controller.close();
          },
        }),
      };
    },
  };
}

async function events(source: AiLanguageModel): Promise<readonly ModelEvent[]> {
  const provider = new AiSdkProvider('test', () => source);
  const seen: ModelEvent[] = [];
  for await (const event of provider.stream(REQUEST, { signal: new AbortController().signal }))
    seen.push(event);
  return seen;
}

describe('an AI SDK model as a provider', () => {
  it('is asked in its own words', async () => {
    const asked: AiCallOptions[] = [];
    await events(model([{ type: 'finish', finishReason: 'stop', usage: {} }], asked));
    expect(asked).toMatchObject([
      {
        maxOutputTokens: 100,
        tools: [{ type: 'function', name: 'read', inputSchema: { type: 'object' } }],
        prompt: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: [{ type: 'text', text: 'look' }] },
          { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'call_0', toolName: 'read' }] },
          {
            role: 'tool',
            content: [
              { type: 'tool-result', toolName: 'read', output: { type: 'error-text', value: 'no file' } },
            ],
          },
        ],
      },
    ]);
  });

  it('answers with text, thoughts and calls; a call’s id is never one that is in use', async () => {
    const seen = await events(
      model([
        { type: 'stream-start', warnings: [] },
        { type: 'reasoning-start', id: 'r' },
        { type: 'reasoning-delta', id: 'r', delta: 'hm' },
        { type: 'reasoning-end', id: 'r' },
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', delta: 'I ' },
        { type: 'text-delta', id: 't', delta: 'look' },
        { type: 'text-end', id: 't' },
        { type: 'tool-input-start', id: 'call_0', toolName: 'read' },
        { type: 'tool-call', toolCallId: 'call_0', toolName: 'read', input: '{"path":"b"}' },
        { type: 'tool-call', toolCallId: 'call_1', toolName: 'read', input: '{"path":' },
        {
          type: 'finish',
          finishReason: { unified: 'tool-calls', raw: 'tool_use' },
          usage: { inputTokens: { total: 12, cacheRead: 2 }, outputTokens: { total: 7 } },
        },
      ]),
    );
    const done = seen.at(-1);
    if (done?.type !== 'done') throw new Error('the answer did not end');
    const [, , call, broken] = done.response.content;
    expect(done.response).toMatchObject({
      stopReason: 'tool_use',
      usage: { inputTokens: 10, outputTokens: 7, cacheReadTokens: 2 },
      content: [
        { type: 'thinking', text: 'hm' },
        { type: 'text', text: 'I look' },
        { type: 'tool_use', name: 'read', input: { path: 'b' } },
        { type: 'tool_use', input: {}, inputError: { raw: '{"path":' } },
      ],
    });
    expect(call).not.toMatchObject({ id: 'call_0' });
    expect(broken).toMatchObject({ id: 'call_1' });
    expect(seen.map(({ type }) => type)).toEqual([
      'thinking_delta',
      'text_delta',
      'text_delta',
      'tool_use_start',
      'done',
    ]);
  });

  it('reads the flat counts of older models', async () => {
    const usage = { inputTokens: 9, outputTokens: 4, totalTokens: 13, cachedInputTokens: 3 };
    expect(await events(model([{ type: 'finish', finishReason: 'length', usage }]))).toMatchObject([
      {
        response: {
          stopReason: 'max_tokens',
          usage: { inputTokens: 6, outputTokens: 4, cacheReadTokens: 3 },
        },
      },
    ]);
  });

  it.each<[string, unknown[], string, boolean]>([
    ['an answer that is cut off', [{ type: 'text-delta', id: 't', delta: 'a' }], 'provider.truncated', true],
    ['a refused key', [{ type: 'error', error: { statusCode: 401, message: 'no' } }], 'provider.auth', false],
    ['a limit', [{ type: 'error', error: { statusCode: 429 } }], 'provider.rate_limited', true],
    ['a bad request', [{ type: 'error', error: { statusCode: 400 } }], 'provider.bad_request', false],
    ['a server error', [{ type: 'error', error: { statusCode: 503 } }], 'provider.overloaded', true],
    ['a broken line', [{ type: 'error', error: new Error('reset') }], 'provider.unreachable', true],
  ])('fails with a code for %s', async (_what, parts, code, retryable) => {
    await expect(events(model(parts))).rejects.toMatchObject({ code, retryable });
  });

  it('makes the model when it is first asked, once, and again where that failed', async () => {
    let made = 0;
    const provider = new AiSdkProvider('test', () => {
      made += 1;
      if (made === 1) throw new Error('not installed');
      return model([{ type: 'finish', finishReason: 'stop', usage: {} }]);
    });
    expect(made).toBe(0);
    const ask = async (): Promise<void> => {
      const events = provider.stream(REQUEST, { signal: new AbortController().signal });
      while ((await events.next()).done !== true);
    };
    await expect(ask()).rejects.toMatchObject({ message: expect.stringContaining('not installed') });
    await ask();
    await ask();
    expect(made).toBe(2);
  });
});
