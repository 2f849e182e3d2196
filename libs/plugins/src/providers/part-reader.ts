import {
  type AssistantBlock,
  type CallId,
  type ModelEvent,
  type ModelRequest,
  newId,
  NO_USAGE,
  ProviderError,
  type StopReason,
  type ToolUseBlock,
  type Usage,
} from '@wrongstack/contracts';

type Fields = Readonly<Record<string, unknown>>;

const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  stop: 'end_turn',
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  'content-filter': 'refusal',
};

/** Turns the parts of one AI SDK stream into our events, and holds what the answer amounts to. */
export class PartReader {
  readonly #blocks: AssistantBlock[] = [];
  readonly #open = new Map<string, { readonly type: 'text' | 'thinking'; text: string }>();
  readonly #ids = new Map<string, CallId>();
  readonly #taken: Set<string>;

  constructor(private readonly request: ModelRequest) {
    this.#taken = new Set(
      request.messages.flatMap(({ content }) =>
        content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])),
      ),
    );
  }

  /** Throws a ProviderError for an error part. Parts that it does not know say nothing to us. */
  read(part: unknown): readonly ModelEvent[] {
    const fields = fieldsOf(part);
    const id = text(fields['id']);
    switch (fields['type']) {
      case 'text-start':
      case 'reasoning-start':
        this.#open.set(id, { type: fields['type'] === 'text-start' ? 'text' : 'thinking', text: '' });
        return [];
      case 'text-delta':
      case 'reasoning-delta': {
        const delta = text(fields['delta']);
        const type = fields['type'] === 'text-delta' ? 'text' : 'thinking';
        const open = this.#open.get(id) ?? { type, text: '' };
        open.text += delta;
        this.#open.set(id, open);
        return [{ type: type === 'text' ? 'text_delta' : 'thinking_delta', text: delta }];
      }
      case 'text-end':
      case 'reasoning-end':
        this.#close(id);
        return [];
      case 'tool-input-start':
        return [{ type: 'tool_use_start', id: this.#callId(id), name: text(fields['toolName']) }];
      case 'tool-call':
        // What the provider ran by itself is no call for us to decide.
        if (fields['providerExecuted'] !== true) this.#blocks.push(this.#call(fields));
        return [];
      case 'error':
        throw failure(fields['error']);
      case 'finish':
        return [this.#done(fields)];
      default:
        return [];
    }
  }

  #close(id: string): void {
    const open = this.#open.get(id);
    this.#open.delete(id);
    if (open !== undefined && open.text !== '') this.#blocks.push(open);
  }

  #call(fields: Fields): ToolUseBlock {
    const call = {
      type: 'tool_use',
      id: this.#callId(text(fields['toolCallId'])),
      name: text(fields['toolName']),
    } as const;
    const raw = text(fields['input']);
    try {
      const input: unknown = JSON.parse(raw === '' ? '{}' : raw);
      if (typeof input === 'object' && input !== null && !Array.isArray(input)) return { ...call, input };
    } catch {
      // Kept as it came: a repaired call is not the one that the model made.
    }
    return { ...call, input: {}, inputError: { raw, message: 'the arguments are not a JSON object' } };
  }

  /** One id a call, also from models that number them anew in each turn. */
  #callId(wanted: string): CallId {
    const known = this.#ids.get(wanted);
    if (known !== undefined) return known;
    const free = /^[A-Za-z0-9_-]{1,128}$/.test(wanted) && !this.#taken.has(wanted);
    // Text from the wire becomes a call id here.
    const id = free ? (wanted as CallId) : newId('CallId');
    this.#taken.add(id);
    this.#ids.set(wanted, id);
    return id;
  }

  #done(fields: Fields): ModelEvent {
    for (const id of [...this.#open.keys()]) this.#close(id);
    const reason = fields['finishReason'];
    const named = typeof reason === 'string' ? reason : text(fieldsOf(reason)['unified']);
    return {
      type: 'done',
      response: {
        content: this.#blocks,
        stopReason: STOP_REASONS[named] ?? 'other',
        usage: usageOf(fieldsOf(fields['usage'])),
        model: this.request.model,
      },
    };
  }
}

/** Version 2 counts flat, later ones in groups. */
function usageOf(usage: Fields): Usage {
  const input = usage['inputTokens'];
  const output = usage['outputTokens'];
  if (typeof input === 'object' && input !== null) {
    const { noCache, total, cacheRead, cacheWrite } = input as Fields;
    const read = count(cacheRead);
    const written = count(cacheWrite);
    return {
      inputTokens: noCache === undefined ? Math.max(0, count(total) - read - written) : count(noCache),
      outputTokens: count(fieldsOf(output)['total']),
      cacheReadTokens: read,
      cacheWriteTokens: written,
    };
  }
  const cached = count(usage['cachedInputTokens']);
  return {
    ...NO_USAGE,
    inputTokens: Math.max(0, count(input) - cached),
    outputTokens: count(output),
    cacheReadTokens: cached,
  };
}

/** An API error of the SDK carries its status; nothing else of it is trusted to hold no key. */
export function failure(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const { statusCode, isRetryable, message } = fieldsOf(error);
  const status = typeof statusCode === 'number' ? statusCode : undefined;
  const said = error instanceof Error ? error.message : text(message);
  const options = {
    status,
    retryable: isRetryable === true || status === undefined || status >= 500,
    cause: error,
  };
  if (status === 401 || status === 403) {
    return new ProviderError('provider.auth', `the model refuses the key: ${said}`, {
      ...options,
      retryable: false,
      hint: 'check the key that the plugin uses',
    });
  }
  if (status === 429) {
    return new ProviderError('provider.rate_limited', `the model is busy: ${said}`, {
      ...options,
      retryable: true,
      hint: 'go on later, or check the rate limits of its key',
    });
  }
  if (status !== undefined && status < 500) {
    return new ProviderError('provider.bad_request', `the model refuses the request: ${said}`, {
      ...options,
      hint: 'check provider.model',
    });
  }
  return new ProviderError(
    status === undefined ? 'provider.unreachable' : 'provider.overloaded',
    `the model failed: ${said}`,
    { ...options, hint: 'go on later, or wstack diag plugins' },
  );
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}
