import type { LoopbackTurn } from './model-turn-script.js';
import { callArguments, callId, deltas, sse } from './model-turn-script.js';

/** The stream of a Responses response. */
export function openAiResponsesStream(turn: LoopbackTurn, index: number, model: string): string {
  const out: string[] = [];
  let sequence = 0;
  const send = (type: string, fields: object): void => {
    out.push(sse(type, { type, sequence_number: sequence, ...fields }));
    sequence += 1;
  };
  const response = { id: `resp_${index + 1}`, object: 'response', model, output: [] };
  send('response.created', { response: { ...response, status: 'in_progress' } });
  let output = 0;
  const item = (fields: object, stream: (output_index: number) => object): void => {
    send('response.output_item.added', { output_index: output, item: { ...fields, status: 'in_progress' } });
    const finished = stream(output);
    send('response.output_item.done', { output_index: output, item: { ...fields, ...finished } });
    output += 1;
  };
  const stop = turn.stopReason ?? 'end_turn';
  if (turn.thinking !== undefined) {
    const text = turn.thinking;
    item({ id: 'rs_1', type: 'reasoning', summary: [] }, (output_index) => {
      for (const delta of deltas(text))
        send('response.reasoning_summary_text.delta', { output_index, delta });
      return { status: 'completed', encrypted_content: 'ZW5j', summary: [{ type: 'summary_text', text }] };
    });
  }
  if (turn.text !== undefined) {
    const text = turn.text;
    item({ id: 'msg_1', type: 'message', role: 'assistant', content: [] }, (output_index) => {
      for (const delta of deltas(text)) send('response.output_text.delta', { output_index, delta });
      return { status: 'completed', content: [{ type: 'output_text', text }] };
    });
  }
  const calls = turn.calls ?? [];
  for (const [position, call] of calls.entries()) {
    const call_id = callId(call, index, position);
    item(
      { id: `fc_${position}`, type: 'function_call', call_id, name: call.name, arguments: '' },
      (output_index) => {
        const text = callArguments(call);
        for (const delta of deltas(text))
          send('response.function_call_arguments.delta', { output_index, delta });
        const cutOff = stop === 'max_tokens' && position === calls.length - 1;
        return { status: cutOff ? 'incomplete' : 'completed', arguments: text };
      },
    );
  }
  const usage = turn.usage === undefined ? { input: 10, output: 5 } : turn.usage;
  const reasons: Readonly<Record<string, string>> = {
    max_tokens: 'max_output_tokens',
    refusal: 'content_filter',
  };
  const reason = reasons[stop];
  const type = reason === undefined ? 'response.completed' : 'response.incomplete';
  send(type, {
    response: {
      ...response,
      status: reason === undefined ? 'completed' : 'incomplete',
      incomplete_details: reason === undefined ? null : { reason },
      ...(usage && {
        usage: {
          input_tokens: usage.input + (usage.cached ?? 0),
          output_tokens: usage.output,
          input_tokens_details: { cached_tokens: usage.cached ?? 0 },
        },
      }),
    },
  });
  return out.join('');
}
