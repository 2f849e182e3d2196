import { type ModelEvent, type ModelRequest, Provider, ProviderError } from '@wrongstack/contracts';
import type { AiLanguageModel } from './ai-language-model.js';
import { encodePrompt } from './encode-prompt.js';
import { failure, PartReader } from './part-reader.js';

/** Makes the model on first use, for the name that the configuration asks for. */
export type AiModelSource = (model: string) => AiLanguageModel | Promise<AiLanguageModel>;

/**
 * Any AI SDK language model as a provider:
 * `create: (cfg) => new AiSdkProvider('my-llm', async (model) => (await import('@ai-sdk/…')).createX(cfg)(model))`.
 * Tools are passed on as descriptions alone: whether a call runs is decided here, never by the SDK.
 */
export class AiSdkProvider extends Provider {
  readonly #models = new Map<string, Promise<AiLanguageModel>>();

  constructor(
    override readonly type: string,
    private readonly source: AiModelSource,
    /** Shown in messages; never a key. */
    override readonly endpoint: string = type,
  ) {
    super();
  }

  override async *stream(
    request: ModelRequest,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<ModelEvent, void, undefined> {
    signal.throwIfAborted();
    try {
      yield* this.#read(request, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw failure(error);
    }
  }

  async *#read(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
    const model = await this.#model(request.model);
    const { stream } = await model.doStream({
      prompt: encodePrompt(request),
      maxOutputTokens: request.maxOutputTokens,
      ...(request.temperature !== undefined && { temperature: request.temperature }),
      ...(request.headers && { headers: { ...request.headers } }),
      ...(request.tools.length > 0 && {
        tools: request.tools.map((tool) => ({ type: 'function' as const, ...tool })),
      }),
      abortSignal: signal,
    });
    const parts = stream.getReader();
    const reader = new PartReader(request);
    let ended = false;
    try {
      for (;;) {
        const { done, value } = await parts.read();
        if (done) break;
        for (const event of reader.read(value)) {
          ended ||= event.type === 'done';
          yield event;
        }
        if (ended) return;
      }
    } finally {
      await parts.cancel().catch(() => undefined);
    }
    throw new ProviderError('provider.truncated', `${this.endpoint}: the answer was cut off`, {
      retryable: true,
      hint: 'go on later',
    });
  }

  #model(name: string): Promise<AiLanguageModel> {
    const known = this.#models.get(name);
    if (known !== undefined) return known;
    const made = Promise.resolve().then(() => this.source(name));
    // One that could not be made is tried again.
    made.catch(() => this.#models.delete(name));
    this.#models.set(name, made);
    return made;
  }
}
