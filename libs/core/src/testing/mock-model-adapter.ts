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
  /** The turn fails with this instead, as a provider that cannot be reached does. */
  readonly error?: Error;
}

/** A turn, or what makes one out of what the model was asked. */
export type MockScript = readonly (MockTurn | ((request: ModelRequest) => MockTurn))[];

/** A model that says what it is told to, and remembers what it was asked. */
export class MockModelAdapter extends Provider {
  readonly type = 'mock';
  readonly endpoint = 'mock';
  readonly requests: ModelRequest[] = [];
  readonly #turns: MockScript[number][];

  constructor(turns: MockScript = []) {
    super();
    this.#turns = [...turns];
  }

  /** Go on with these turns after those that are left. */
  say(...turns: MockScript): void {
    this.#turns.push(...turns);
  }

  override async *stream(
    request: ModelRequest,
    options?: { readonly signal: AbortSignal },
  ): AsyncGenerator<ModelEvent, void, undefined> {
    options?.signal.throwIfAborted();
    // A copy: the conversation goes on, and what was asked does not change with it.
    this.requests.push(structuredClone(request));
    const next = this.#turns.shift();
    if (next === undefined)
      throw new WrongStackError('mock.ended', 'the mock model was asked more often than it has turns');
    const turn = typeof next === 'function' ? next(request) : next;
    if (turn.error !== undefined) throw turn.error;
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
