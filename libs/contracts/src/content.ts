import type { CallId } from './ids.js';

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

export interface ImageBlock {
  readonly type: 'image';
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

/** What a tool returns to the model. */
export type ContentBlock = TextBlock | ImageBlock;

/** Text that the model thought aloud; `signature` is the provider's, and goes back to it unchanged. */
export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly text: string;
  readonly signature?: string;
}

export interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: CallId;
  readonly name: string;
  readonly input: unknown;
  /** Set when the model's arguments were not valid JSON or were cut off: such a call is never repaired and never run. */
  readonly inputError?: { readonly raw: string; readonly message: string };
}

export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly id: CallId;
  readonly content: readonly ContentBlock[];
  readonly isError: boolean;
}

export type AssistantBlock = TextBlock | ThinkingBlock | ToolUseBlock;
export type UserBlock = ContentBlock | ToolResultBlock;

export type Message =
  | { readonly role: 'user'; readonly content: readonly UserBlock[] }
  | { readonly role: 'assistant'; readonly content: readonly AssistantBlock[] };
