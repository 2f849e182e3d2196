import type { ServerSentEvent } from '../wire-format.js';
import { sampleRequest } from '../testing/collect-stream.js';
import { ChatStreamDecoder } from './decode-stream.js';

/** What the decoder makes of chunks that hold these deltas. */
function decode(deltas: readonly object[], finish: string | null, done = true) {
  const decoder = new ChatStreamDecoder(sampleRequest());
  const event = (data: string): ServerSentEvent => ({ event: 'message', data });
  const chunks = deltas.map((delta) => JSON.stringify({ choices: [{ index: 0, delta }] }));
  const last = JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: finish }] });
  const events = [...chunks, last, ...(done ? ['[DONE]'] : [])].flatMap((data) => decoder.push(event(data)));
  const final = [...events, ...(done ? [] : decoder.end())].at(-1);
  return final?.type === 'done' ? final.response : undefined;
}
const piece = (fields: object, details: object) => ({ tool_calls: [{ ...fields, function: details }] });

describe('liberties of compatible servers', () => {
  it('tells calls apart that all carry index 0', () => {
    const response = decode(
      [
        piece({ index: 0, id: 'a' }, { name: 'read', arguments: '{"path":"x"}' }),
        piece({ index: 0, id: 'b' }, { name: 'bash', arguments: '{"command":' }),
        piece({ index: 0 }, { arguments: '"ls"}' }),
      ],
      'tool_calls',
    );
    expect(response?.content).toEqual([
      { type: 'tool_use', id: 'a', name: 'read', input: { path: 'x' } },
      { type: 'tool_use', id: 'b', name: 'bash', input: { command: 'ls' } },
    ]);
  });

  it('does without indexes and ids', () => {
    const response = decode(
      [piece({}, { name: 'read', arguments: '{' }), piece({}, { arguments: '}' })],
      'stop',
    );
    expect(response).toMatchObject({
      stopReason: 'tool_use',
      content: [{ type: 'tool_use', id: expect.stringMatching(/^c-/), name: 'read', input: {} }],
    });
  });

  it('takes a repeated id and name in later pieces as the same call', () => {
    const response = decode(
      [
        piece({ index: 0, id: 'a' }, { name: 'read', arguments: '{"p":' }),
        piece({ index: 0, id: 'a' }, { name: 'read', arguments: '1}' }),
      ],
      'tool_calls',
    );
    expect(response?.content).toMatchObject([{ id: 'a', input: { p: 1 } }]);
  });

  it('ends without [DONE] once a reason was given, and not before', () => {
    expect(decode([{ content: 'hi' }], 'stop', false)).toMatchObject({ content: [{ text: 'hi' }] });
    expect(decode([{ content: 'hi' }], null, false)).toBeUndefined();
    expect(decode([{ content: 'hi' }], null)).toBeUndefined();
  });

  it('shows a refusal as text and says so', () => {
    expect(decode([{ refusal: 'I will not.' }], 'stop')).toMatchObject({
      stopReason: 'refusal',
      content: [{ type: 'text', text: 'I will not.' }],
    });
  });
});
