import { codeOf, messageOf, newId, ProviderError } from '@wrongstack/contracts';
import type {
  CallId,
  Context,
  EventOrigin,
  MetricsSink,
  ModelRequest,
  ModelResponse,
  Provider,
  SecretScrubber,
  ToolUseBlock,
} from '@wrongstack/contracts';
import type { EventSink } from '../execution/call-scope.js';
import type { LifecycleRegistry } from '../extensions/lifecycle-registry.js';
import type { Pipelines } from '../pipeline/create-pipelines.js';
import { realSleep, withRetries } from './retry.js';
import type { Sleep } from './retry.js';

export interface ModelTurnPorts {
  readonly pipelines: Pick<Pipelines, 'request' | 'response'>;
  readonly lifecycle: Pick<LifecycleRegistry, 'wrapProviderRunner'>;
  readonly events: EventSink;
  readonly metrics: MetricsSink;
  readonly scrubber: SecretScrubber;
  readonly random: () => number;
  readonly sleep?: Sleep;
}

export interface ModelTurnOptions {
  readonly context: Context;
  readonly origin: EventOrigin;
  readonly provider: Provider;
  readonly maxRetries: number;
  readonly signal: AbortSignal;
  /** Ids that the conversation holds already. */
  readonly takenIds: ReadonlySet<string>;
}

export interface ModelTurn {
  readonly message: string;
  readonly response: ModelResponse;
}

/** A turn that failed after it had begun to answer; what it had said is worth keeping. */
export class TurnFailed extends Error {
  constructor(
    override readonly cause: unknown,
    readonly partialText: string,
  ) {
    super(messageOf(cause));
  }
}

/** One request and its answer: request pipeline, stream with retries, response pipeline. */
export async function modelTurn(
  ports: ModelTurnPorts,
  request: ModelRequest,
  options: ModelTurnOptions,
): Promise<ModelTurn> {
  const sent = await ports.pipelines.request.run(request);
  const progress: Progress = { message: '', text: '' };
  const runner = ports.lifecycle.wrapProviderRunner(
    (_context, inner) =>
      withRetries(() => streamOnce(ports, inner, options, progress), {
        maxRetries: options.maxRetries,
        signal: options.signal,
        sleep: ports.sleep ?? realSleep,
        random: ports.random,
        onRetry: (retry) =>
          ports.events.emit('model.retry', {
            ...options.origin,
            ...retry,
            reason: ports.scrubber.scrub(retry.reason),
          }),
      }),
    options.signal,
  );
  try {
    const answered = await runner(options.context, sent);
    const response = await ports.pipelines.response.run(answered);
    count(ports.metrics, options.provider, response);
    const message = progress.message === '' ? newMessageId() : progress.message;
    return { message, response: withOwnNames(response, options.takenIds, ports.scrubber) };
  } catch (error) {
    ports.metrics.counter('wrongstack_model_errors_total', 1, { code: codeOf(error) });
    throw new TurnFailed(error, progress.text);
  }
}

/** What the attempt under way has said so far. Each attempt is a message of its own, so a reader can drop the torn one. */
interface Progress {
  message: string;
  text: string;
}

async function streamOnce(
  ports: ModelTurnPorts,
  request: ModelRequest,
  { origin, provider, signal }: ModelTurnOptions,
  progress: Progress,
): Promise<ModelResponse> {
  const message = newMessageId();
  progress.message = message;
  progress.text = '';
  const shown = ports.scrubber.stream();
  let thought: ReturnType<SecretScrubber['stream']> | null = null;
  const say = (text: string, thinking: boolean): void => {
    if (text !== '') ports.events.emit('message.delta', { ...origin, message, text, thinking });
  };
  const endThought = (): void => {
    if (thought !== null) say(thought.end(), true);
    thought = null;
  };
  const finish = (): void => {
    endThought();
    say(shown.end(), false);
  };
  for await (const event of abortable(provider.stream(request, { signal }), signal)) {
    switch (event.type) {
      case 'text_delta':
        // A scrubber holds back a last word: it belongs before what is said next.
        endThought();
        progress.text += event.text;
        say(shown.push(event.text), false);
        break;
      case 'thinking_delta':
        thought ??= ports.scrubber.stream();
        say(thought.push(event.text), true);
        break;
      case 'tool_use_start':
        break;
      case 'done':
        finish();
        return event.response;
    }
  }
  finish();
  throw new ProviderError('provider.truncated', `the answer of ${provider.endpoint} was cut off`, {
    retryable: true,
    hint: 'go on later',
  });
}

/** Ends with the signal even where the stream does not: a provider that hangs must not hold the person. */
async function* abortable<T>(stream: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  signal.throwIfAborted();
  const iterator = stream[Symbol.asyncIterator]();
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  aborted.catch(() => undefined);
  try {
    for (;;) {
      const pulled = iterator.next();
      // Left behind after an abort, its failure is nobody's unhandled rejection.
      pulled.catch(() => undefined);
      const next = await Promise.race([pulled, aborted]);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Not awaited: a stream that is stuck does not return either.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/**
 * Two calls of one id could not be told apart in the log, the events or the next request. And since ids and names stand
 * in all of these as they are, neither may be a secret that the model repeats.
 */
function withOwnNames(
  response: ModelResponse,
  taken: ReadonlySet<string>,
  scrubber: SecretScrubber,
): ModelResponse {
  const seen = new Set(taken);
  const content = response.content.map((block) => {
    if (block.type !== 'tool_use') return block;
    const name = typeof block.name === 'string' ? scrubber.scrub(block.name) : block.name;
    const usable =
      typeof block.id === 'string' &&
      block.id !== '' &&
      !seen.has(block.id) &&
      scrubber.scrub(block.id) === block.id;
    const id: CallId = usable ? block.id : newId('CallId');
    seen.add(id);
    return usable && name === block.name ? block : ({ ...block, id, name } satisfies ToolUseBlock);
  });
  return { ...response, content };
}

function count(metrics: MetricsSink, provider: Provider, { usage, model }: ModelResponse): void {
  const labels = { provider: provider.type, model };
  metrics.counter('wrongstack_model_requests_total', 1, labels);
  metrics.counter('wrongstack_model_tokens_total', usage.inputTokens, { ...labels, kind: 'input' });
  metrics.counter('wrongstack_model_tokens_total', usage.outputTokens, { ...labels, kind: 'output' });
  metrics.counter('wrongstack_model_tokens_total', usage.cacheReadTokens, { ...labels, kind: 'cache_read' });
  metrics.counter('wrongstack_model_tokens_total', usage.cacheWriteTokens, {
    ...labels,
    kind: 'cache_write',
  });
}

function newMessageId(): string {
  return newId('CallId').replace(/^c-/, 'm-');
}
