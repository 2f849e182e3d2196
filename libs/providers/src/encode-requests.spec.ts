import type { Message, ToolResultBlock } from '@wrongstack/contracts';
import { encodeAnthropicRequest } from './anthropic/encode-request.js';
import { encodeResponsesRequest } from './openai-responses/encode-request.js';
import { encodeChatRequest } from './openai/encode-request.js';
import { sampleRequest, userSays } from './testing/collect-stream.js';

const id = (text: string) => text as never;
const call = (name: string, input: unknown, callId = 'c1') =>
  ({ type: 'tool_use', id: id(callId), name, input }) as const;
const result = (text: string, isError = false, callId = 'c1'): ToolResultBlock => ({
  type: 'tool_result',
  id: id(callId),
  content: text === '' ? [] : [{ type: 'text', text }],
  isError,
});

const CONVERSATION: Message[] = [
  userSays('look'),
  {
    role: 'assistant',
    content: [
      { type: 'thinking', text: 'hm', signature: 'c2ln' },
      { type: 'text', text: 'Reading.' },
      call('read', { path: 'a' }),
      call('bash', { command: 'ls' }, 'c2'),
    ],
  },
  { role: 'user', content: [result('content of a')] },
  { role: 'user', content: [{ type: 'text', text: 'note' }, result('boom', true, 'c2')] },
];
const IMAGE = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;

describe('an Anthropic request', () => {
  const encode = (messages: Message[]) =>
    encodeAnthropicRequest(sampleRequest({ messages })) as {
      messages: { role: string; content: { type: string; cache_control?: unknown }[] }[];
      system: unknown;
      tools: unknown[];
    };
  const CACHED = { type: 'ephemeral' };

  it('brings the results of a turn together and first, and marks what is worth caching', () => {
    expect(encode(CONVERSATION)).toEqual({
      model: 'some-model',
      max_tokens: 1000,
      stream: true,
      system: [{ type: 'text', text: 'Be brief.', cache_control: CACHED }],
      tools: [
        expect.not.objectContaining({ cache_control: CACHED }),
        expect.objectContaining({ name: 'bash', input_schema: expect.any(Object), cache_control: CACHED }),
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'look', cache_control: CACHED }] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
            { type: 'text', text: 'Reading.' },
            { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' } },
            { type: 'tool_use', id: 'c2', name: 'bash', input: { command: 'ls' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'content of a' }] },
            {
              type: 'tool_result',
              tool_use_id: 'c2',
              content: [{ type: 'text', text: 'boom' }],
              is_error: true,
            },
            { type: 'text', text: 'note', cache_control: CACHED },
          ],
        },
      ],
    });
  });

  it('never has more than the four breakpoints that are allowed', () => {
    const long = Array.from({ length: 9 }, (_, turn): Message[] => [
      userSays(`q${turn}`),
      { role: 'assistant', content: [{ type: 'text', text: `a${turn}` }] },
    ]).flat();
    expect(JSON.stringify(encode(long)).match(/cache_control/g)).toHaveLength(4);
  });

  it('leaves out what the provider refuses: empty text, and thinking of others', () => {
    const { messages } = encode([
      userSays('a'),
      {
        role: 'assistant',
        content: [
          { type: 'thinking', text: 'unsigned' },
          { type: 'thinking', text: 'theirs', signature: '{"id":"rs"}' },
          { type: 'thinking', text: '', signature: 'redacted:ZGF0YQ' },
          { type: 'text', text: ' ' },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: '' }, result('')] },
    ]);
    expect(messages[1]!.content).toEqual([{ type: 'redacted_thinking', data: 'ZGF0YQ' }]);
    expect(messages[2]!.content).toEqual([{ type: 'tool_result', tool_use_id: 'c1', cache_control: CACHED }]);
  });

  it('hands back a call that did not parse, or had an impossible name, as a legal one', () => {
    const { messages } = encode([
      userSays('a'),
      {
        role: 'assistant',
        content: [{ ...call('what is this?', 'x'), inputError: { raw: '{', message: 'cut off' } }],
      },
    ]);
    expect(messages[1]!.content).toEqual([{ type: 'tool_use', id: 'c1', name: 'what_is_this_', input: {} }]);
  });

  it('does not change the request', () => {
    const request = sampleRequest({ messages: CONVERSATION });
    const before = JSON.stringify(request);
    encodeAnthropicRequest(request);
    expect(JSON.stringify(request)).toBe(before);
  });
});

describe('a Chat Completions request', () => {
  it('tells calls, results and images in its own words', () => {
    const shown: Message = { role: 'user', content: [{ ...result('see'), content: [IMAGE] }] };
    expect(
      encodeChatRequest(sampleRequest({ messages: [...CONVERSATION, shown], temperature: 0 }), 'max_tokens'),
    ).toEqual({
      model: 'some-model',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 1000,
      temperature: 0,
      tools: expect.arrayContaining([
        {
          type: 'function',
          function: { name: 'read', description: 'The read tool.', parameters: expect.any(Object) },
        },
      ]),
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'look' },
        {
          role: 'assistant',
          content: 'Reading.',
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
            { id: 'c2', type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'content of a' },
        { role: 'tool', tool_call_id: 'c2', content: 'Error: boom' },
        { role: 'user', content: 'note' },
        { role: 'tool', tool_call_id: 'c1', content: '[image follows]' },
        { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] },
      ],
    });
  });
});

describe('a Responses request', () => {
  it('sends items, and asks for encrypted reasoning only from models that reason', () => {
    const body = encodeResponsesRequest(sampleRequest({ messages: CONVERSATION, model: 'gpt-5-codex' }));
    expect(body).toMatchObject({
      store: false,
      instructions: 'Be brief.',
      include: ['reasoning.encrypted_content'],
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'look' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Reading.' }] },
        { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"path":"a"}' },
        { type: 'function_call', call_id: 'c2', name: 'bash' },
        { type: 'function_call_output', call_id: 'c1', output: 'content of a' },
        { type: 'function_call_output', call_id: 'c2', output: 'Error: boom' },
        { type: 'message', role: 'user' },
      ],
    });
    expect(encodeResponsesRequest(sampleRequest({ model: 'gpt-4o' }))).not.toHaveProperty('include');
  });

  it('hands encrypted reasoning back, and nothing else that claims to be it', () => {
    const thought = (signature: string): Message => ({
      role: 'assistant',
      content: [{ type: 'thinking', text: 'hm', signature }],
    });
    const { input } = encodeResponsesRequest(
      sampleRequest({
        messages: [
          thought('{"id":"rs_1","encrypted_content":"ZW5j","type":"message"}'),
          thought('{"id":1}'),
          thought('{broken'),
          thought('c2ln'),
        ],
      }),
    );
    expect(input).toEqual([
      {
        type: 'reasoning',
        id: 'rs_1',
        encrypted_content: 'ZW5j',
        summary: [{ type: 'summary_text', text: 'hm' }],
      },
    ]);
  });
});
