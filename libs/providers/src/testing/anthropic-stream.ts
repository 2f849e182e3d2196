import type { LoopbackTurn } from './model-turn-script.js';
import { callArguments, callId, deltas, sse } from './model-turn-script.js';

/** The stream of a Messages response, event by event as the real service sends it. */
export function anthropicStream(turn: LoopbackTurn, index: number, model: string): string {
  const usage = turn.usage === undefined ? { input: 10, output: 5 } : turn.usage;
  const out: string[] = [];
  const send = (data: { type: string; [field: string]: unknown }): void =>
    void out.push(sse(data.type, data));
  send({
    type: 'message_start',
    message: {
      id: `msg_${index + 1}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      ...(usage && {
        usage: {
          input_tokens: usage.input,
          output_tokens: 1,
          cache_read_input_tokens: usage.cached ?? 0,
          cache_creation_input_tokens: 0,
        },
      }),
    },
  });
  send({ type: 'ping' });
  let block = 0;
  const content = (start: object, parts: readonly object[]): void => {
    send({ type: 'content_block_start', index: block, content_block: start });
    for (const delta of parts) send({ type: 'content_block_delta', index: block, delta });
    send({ type: 'content_block_stop', index: block });
    block += 1;
  };
  if (turn.thinking !== undefined) {
    content({ type: 'thinking', thinking: '', signature: '' }, [
      ...deltas(turn.thinking).map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: 'c2lnbmVk' },
    ]);
  }
  if (turn.text !== undefined) {
    content(
      { type: 'text', text: '' },
      deltas(turn.text).map((text) => ({ type: 'text_delta', text })),
    );
  }
  for (const [position, call] of (turn.calls ?? []).entries()) {
    content({ type: 'tool_use', id: callId(call, index, position), name: call.name, input: {} }, [
      { type: 'input_json_delta', partial_json: '' },
      ...deltas(callArguments(call)).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    ]);
  }
  const stop = turn.stopReason ?? ((turn.calls ?? []).length > 0 ? 'tool_use' : 'end_turn');
  send({
    type: 'message_delta',
    delta: { stop_reason: stop, stop_sequence: null },
    ...(usage && { usage: { output_tokens: usage.output } }),
  });
  send({ type: 'message_stop' });
  return out.join('');
}
