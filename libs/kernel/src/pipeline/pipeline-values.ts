import type { ContentBlock, Message, ModelRequest, ModelResponse, ToolUseBlock } from '@wrongstack/contracts';

/** What a value must be made of for the agent to go on with it. Middleware may be plain JavaScript that forgot its return. */
export type Fits = (value: unknown) => boolean;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText: Fits = (value) => typeof value === 'string';
const isListOf =
  (fits: Fits): Fits =>
  (value) =>
    Array.isArray(value) && value.every(fits);
const isBlock: Fits = (value) =>
  isObject(value) && isText(value['type']) && (value['type'] !== 'text' || isText(value['text']));

export const isUserInput: Fits = isListOf(isBlock) satisfies (value: readonly ContentBlock[]) => boolean;

const isMessage: Fits = (value) =>
  isObject(value) && isText(value['role']) && isListOf(isBlock)(value['content']);

export const isContextWindow: Fits = isListOf(isMessage) satisfies (value: readonly Message[]) => boolean;

export const isModelRequest: Fits = ((value: unknown) =>
  isObject(value) &&
  isText(value['model']) &&
  isListOf(isBlock)(value['system']) &&
  isContextWindow(value['messages']) &&
  isListOf(isObject)(value['tools'])) satisfies (value: ModelRequest) => boolean;

export const isModelResponse: Fits = ((value: unknown) =>
  isObject(value) &&
  isListOf(isBlock)(value['content']) &&
  isText(value['stopReason']) &&
  isObject(value['usage']) &&
  isText(value['model'])) satisfies (value: ModelResponse) => boolean;

export const isAnswer: Fits = isText satisfies (value: string) => boolean;

export const isToolUse: Fits = ((value: unknown) =>
  isObject(value) && isText(value['id']) && isText(value['name'])) satisfies (value: ToolUseBlock) => boolean;
