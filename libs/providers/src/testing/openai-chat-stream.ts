import type { LoopbackTurn } from './model-turn-script.js';
import { callArguments, callId, deltas, sse } from './model-turn-script.js';

const FINISH: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  refusal: 'content_filter',
};

/** The stream of a Chat Completions response; parallel calls arrive interleaved by their index. */
export function openAiChatStream(turn: LoopbackTurn, index: number, model: string): string {
  const out: string[] = [];
  const chunk = (fields: object): void =>
    void out.push(
      sse(null, {
        id: `chatcmpl-${index + 1}`,
        object: 'chat.completion.chunk',
        created: 0,
        model,
        ...fields,
      }),
    );
  const delta = (value: object, finish: string | null = null): void =>
    chunk({ choices: [{ index: 0, delta: value, finish_reason: finish }] });

  delta({ role: 'assistant', content: '' });
  for (const reasoning_content of deltas(turn.thinking ?? '')) delta({ reasoning_content });
  for (const content of deltas(turn.text ?? '')) delta({ content });
  const calls = turn.calls ?? [];
  for (const [position, call] of calls.entries()) {
    const id = callId(call, index, position);
    delta({
      tool_calls: [{ index: position, id, type: 'function', function: { name: call.name, arguments: '' } }],
    });
  }
  const pieces = calls.map((call) => deltas(callArguments(call)));
  for (let round = 0; round < Math.max(0, ...pieces.map((parts) => parts.length)); round += 1) {
    for (const [position, parts] of pieces.entries()) {
      const piece = parts[round];
      if (piece !== undefined) delta({ tool_calls: [{ index: position, function: { arguments: piece } }] });
    }
  }
  const stop = turn.stopReason ?? (calls.length > 0 ? 'tool_use' : 'end_turn');
  delta({}, FINISH[stop] ?? 'stop');
  const usage = turn.usage === undefined ? { input: 10, output: 5 } : turn.usage;
  if (usage) {
    chunk({
      choices: [],
      usage: {
        prompt_tokens: usage.input + (usage.cached ?? 0),
        completion_tokens: usage.output,
        total_tokens: usage.input + (usage.cached ?? 0) + usage.output,
        prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
      },
    });
  }
  return `${out.join('')}data: [DONE]\n\n`;
}
