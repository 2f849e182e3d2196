/**
 * The part of an AI SDK language model (`LanguageModelV2` and later) that a turn needs, described by its shape: any
 * object that fits is one, whichever version of which package made it, and none is a dependency of ours.
 */
export interface AiLanguageModel {
  readonly modelId: string;
  readonly provider: string;
  doStream(options: AiCallOptions): PromiseLike<{ readonly stream: ReadableStreamOf<unknown> }>;
}

/** `ReadableStream`, as far as it is read. */
export interface ReadableStreamOf<T> {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: T }>;
    cancel(reason?: unknown): Promise<void>;
  };
}

export interface AiCallOptions {
  readonly prompt: AiMessage[];
  readonly maxOutputTokens: number;
  readonly temperature?: number;
  readonly tools?: AiTool[];
  readonly headers?: Record<string, string>;
  readonly abortSignal: AbortSignal;
}

export interface AiTool {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- their type belongs to a package that we do not have; ours is the same JSON
  readonly inputSchema: any;
}

export type AiMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: (AiText | AiFile)[] }
  | { readonly role: 'assistant'; readonly content: (AiText | AiReasoning | AiToolCall)[] }
  | { readonly role: 'tool'; readonly content: AiToolResult[] };

export interface AiText {
  readonly type: 'text';
  readonly text: string;
}

export interface AiFile {
  readonly type: 'file';
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

interface AiReasoning {
  readonly type: 'reasoning';
  readonly text: string;
}

interface AiToolCall {
  readonly type: 'tool-call';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

interface AiToolResult {
  readonly type: 'tool-result';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output:
    | { readonly type: 'text'; readonly value: string }
    | { readonly type: 'error-text'; readonly value: string };
}
