import {
  type AssistantBlock,
  type CallId,
  type ModelEvent,
  type ModelRequest,
  type ModelResponse,
  Provider,
  type StopReason,
} from '@wrongstack/contracts';

export type PlayedTurn =
  | ModelResponse
  | Error
  | ((request: ModelRequest, signal: AbortSignal) => ModelResponse | AsyncIterable<ModelEvent>);

/** Plays turns in order and keeps the requests. */
export class PlayingProvider extends Provider {
  readonly type = 'playing';
  readonly endpoint = 'playing.test';
  readonly requests: ModelRequest[] = [];

  constructor(readonly turns: PlayedTurn[]) {
    super();
  }

  override async *stream(
    request: ModelRequest,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncIterable<ModelEvent> {
    this.requests.push(structuredClone(request));
    const turn = this.turns.shift();
    if (turn === undefined) throw new Error('the test has no more turns');
    if (turn instanceof Error) throw turn;
    const played = typeof turn === 'function' ? turn(request, signal) : turn;
    if (Symbol.asyncIterator in played) yield* played;
    else yield* eventsOf(played);
  }
}

async function* eventsOf(response: ModelResponse): AsyncIterable<ModelEvent> {
  for (const block of response.content) {
    if (block.type === 'text') yield { type: 'text_delta', text: block.text };
    else if (block.type === 'tool_use') yield { type: 'tool_use_start', id: block.id, name: block.name };
  }
  yield { type: 'done', response };
}

export const USAGE = { inputTokens: 100, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 };

export function answer(content: string | readonly AssistantBlock[], stopReason?: StopReason): ModelResponse {
  const blocks: readonly AssistantBlock[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const calls = blocks.some(({ type }) => type === 'tool_use');
  return {
    content: blocks,
    stopReason: stopReason ?? (calls ? 'tool_use' : 'end_turn'),
    usage: USAGE,
    model: 'played-1',
  };
}

export function use(
  name: string,
  input: unknown,
  id = `c-${name}`,
): Extract<AssistantBlock, { type: 'tool_use' }> {
  return { type: 'tool_use', id: id as CallId, name, input }; // tests name their calls
}
