import {
  type AssistantBlock,
  type CallId,
  type ModelEvent,
  type ModelRequest,
  NO_USAGE,
  Provider,
  WrongStackError,
} from '@wrongstack/contracts';

/** What the model says in one turn. */
export interface MockTurn {
  readonly text?: string;
  readonly calls?: readonly { readonly id?: string; readonly name: string; readonly input: unknown }[];
}

/** A model that says what it is told to, and remembers what it was asked. */
export class MockModelAdapter extends Provider {
  readonly type = 'mock';
  readonly endpoint = 'mock';
  readonly requests: ModelRequest[] = [];
  readonly #turns: MockTurn[];

  constructor(turns: readonly MockTurn[]) {
    super();
    this.#turns = [...turns];
  }

  override async *stream(request: ModelRequest): AsyncGenerator<ModelEvent, void, undefined> {
    this.requests.push(request);
    const turn = this.#turns.shift();
    if (turn === undefined)
      throw new WrongStackError('mock.ended', 'the mock model was asked more often than it has turns');
    const content: AssistantBlock[] = [];
    if (turn.text !== undefined) {
      yield { type: 'text_delta', text: turn.text };
      content.push({ type: 'text', text: turn.text });
    }
    for (const [index, call] of (turn.calls ?? []).entries()) {
      // An id of the model's is whatever text it gave.
      const id = (call.id ?? `call_${String(this.requests.length)}_${String(index)}`) as CallId;
      yield { type: 'tool_use_start', id, name: call.name };
      content.push({ type: 'tool_use', id, name: call.name, input: call.input });
    }
    const stopReason = (turn.calls ?? []).length > 0 ? 'tool_use' : 'end_turn';
    yield { type: 'done', response: { content, stopReason, usage: NO_USAGE, model: request.model } };
  }
}
