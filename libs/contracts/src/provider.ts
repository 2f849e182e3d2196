import type { AssistantBlock, Message, TextBlock } from './content.js';
import type { CallId } from './ids.js';
import type { JSONSchema } from './json-schema.js';

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JSONSchema;
}

/** One request to a model, in our own words; a wire format turns it into the provider's. */
export interface ModelRequest {
  readonly model: string;
  readonly system: readonly TextBlock[];
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly maxOutputTokens: number;
  readonly temperature?: number;
  /** Extra HTTP headers, as pipeline middleware may add them. Authentication headers here are ignored. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Tokens. `inputTokens` excludes those read from or written to a cache. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

export type StopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'stop_sequence' | 'refusal' | 'other';

export interface ModelResponse {
  readonly content: readonly AssistantBlock[];
  readonly stopReason: StopReason;
  readonly usage: Usage;
  /** The model that answered, as the provider names it. */
  readonly model: string;
}

/** A stream ends with exactly one `done`; one that ends without it was cut off and is an error (`provider.truncated`). */
export type ModelEvent =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly text: string }
  | { readonly type: 'tool_use_start'; readonly id: CallId; readonly name: string }
  | { readonly type: 'done'; readonly response: ModelResponse };

export type ProviderFamily = 'anthropic' | 'openai' | 'openai-compatible' | 'scripted' | (string & {});

/** A source of model turns. Throws {@link ProviderError}. */
export abstract class Provider {
  /** The registered type (`anthropic`, `openai`, `my-llm`, …). */
  abstract readonly type: string;
  /** Host shown in messages and in `diag`; never a key. */
  abstract readonly endpoint: string;
  abstract stream(
    request: ModelRequest,
    options: { readonly signal: AbortSignal },
  ): AsyncIterable<ModelEvent>;
}

export interface ProviderFactory {
  readonly type: string;
  readonly family: ProviderFamily;
  /** `config`: `{ apiKey?, baseUrl?, … }`, as in the configuration's provider section. */
  create(config: unknown): Provider;
}

/** Codes: provider.auth provider.bad_request provider.rate_limited provider.overloaded provider.unreachable provider.truncated provider.malformed provider.context_too_long */
export type ProviderErrorCode =
  | 'provider.auth'
  | 'provider.bad_request'
  | 'provider.context_too_long'
  | 'provider.rate_limited'
  | 'provider.overloaded'
  | 'provider.unreachable'
  | 'provider.truncated'
  | 'provider.malformed';
