import { builtInProviders, defaultCredentials } from './built-in-providers.js';
import { collectStream, sampleRequest } from './testing/collect-stream.js';
import { startLoopbackModelServer } from './testing/loopback-model-server.js';
import { WireFormatProvider } from './wire-format-provider.js';
import type { WireFormat } from './wire-format.js';

const create = (type: string, config: unknown) => {
  const factory = builtInProviders.find((candidate) => candidate.type === type);
  if (!factory) throw new Error(`no ${type}`);
  return factory.create(config);
};

describe('built-in providers', () => {
  it('has the types of the configuration', () => {
    expect(builtInProviders.map(({ type, family }) => [type, family])).toEqual([
      ['anthropic', 'anthropic'],
      ['openai', 'openai'],
      ['openai-responses', 'openai'],
      ['openai-compatible', 'openai-compatible'],
      ['scripted', 'scripted'],
    ]);
    expect(defaultCredentials).toMatchObject({ anthropic: 'ANTHROPIC_API_KEY', openai: 'OPENAI_API_KEY' });
  });

  it('creates each from its settings', async () => {
    const server = await startLoopbackModelServer([
      { text: 'a' },
      { text: 'b' },
      { text: 'c' },
      { text: 'd' },
    ]);
    for (const type of ['anthropic', 'openai', 'openai-responses', 'openai-compatible']) {
      const baseUrl = type === 'anthropic' ? server.anthropicUrl : server.openAiUrl;
      const provider = create(type, { apiKey: 'k', baseUrl });
      expect(provider).toMatchObject({ type, endpoint: server.host });
      await collectStream(provider, sampleRequest());
    }
    expect(server.requests.map((request) => request.path)).toEqual([
      '/v1/messages',
      '/v1/chat/completions',
      '/v1/responses',
      '/v1/chat/completions',
    ]);
    await server.close();
    const scripted = create('scripted', { script: { turns: [{ text: '{{x}}' }] }, variables: { x: 'hi' } });
    expect((await collectStream(scripted, sampleRequest())).response.content).toEqual([
      { type: 'text', text: 'hi' },
    ]);
  });

  it.each([
    ['anthropic', { apiKey: { secret: 'hunter2' } }, /^provider\.apiKey is not a string$/],
    ['openai', { idleTimeoutMs: -1 }, /idleTimeoutMs/],
    ['openai', 'sk-hunter2', /not an object/],
    ['scripted', {}, /needs the path of a script/],
  ])('refuses bad settings of %s without showing them', (type, config, message) => {
    expect(() => create(type, config)).toThrow(message);
    expect(() => create(type, config)).not.toThrow(/hunter2/);
  });

  it('lets a plugin bring a format of its own', async () => {
    const upper: WireFormat = {
      type: 'my-llm',
      family: 'openai-compatible',
      defaultBaseUrl: 'https://llm.example',
      path: '/v1/chat/completions',
      credential: 'MY_LLM_KEY',
      needsKey: false,
      headers: (key) => ({ 'x-my-key': key ?? '' }),
      encode: (request) => ({ model: request.model.toUpperCase() }),
      decoder: () => ({
        push: ({ data }) => [
          {
            type: 'done',
            response: {
              content: [{ type: 'text', text: data }],
              stopReason: 'end_turn',
              usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
              model: 'M',
            },
          },
        ],
        end: () => [],
      }),
    };
    const server = await startLoopbackModelServer([{ rawStream: 'data: hello\n\n' }]);
    const provider = new WireFormatProvider(upper, { apiKey: 'key', baseUrl: server.anthropicUrl });
    const { response } = await collectStream(provider, sampleRequest());
    expect(response.content).toEqual([{ type: 'text', text: 'hello' }]);
    expect(server.requests[0]).toMatchObject({
      headers: { 'x-my-key': 'key' },
      body: { model: 'SOME-MODEL' },
    });
    await server.close();
  });
});
