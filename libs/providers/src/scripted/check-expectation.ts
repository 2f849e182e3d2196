import type { Message, ModelRequest, ToolResultBlock } from '@wrongstack/contracts';
import type { ScriptExpectation, ScriptResultMatcher } from './script.js';

/** Why a request does not fit what a turn expects, in one line; undefined when it fits. */
export function misfit(expectation: ScriptExpectation, request: ModelRequest): string | undefined {
  const last = request.messages.at(-1);
  if (expectation.user !== undefined && !textOf(last).includes(expectation.user)) {
    return `the user to say ${quote(expectation.user)}, got ${quote(textOf(last))}`;
  }
  const results = resultsIn(last);
  for (const [index, matcher] of (expectation.results ?? []).entries()) {
    const result =
      matcher.call === undefined
        ? results[index]
        : results.find((candidate) => candidate.id === matcher.call);
    const which = matcher.call ?? `result ${index + 1}`;
    if (result === undefined) return `${which}, got ${results.length} results`;
    const problem = resultMisfit(matcher, result);
    if (problem !== undefined) return `${which} ${problem}`;
  }
  return undefined;
}

function resultMisfit(matcher: ScriptResultMatcher, result: ToolResultBlock): string | undefined {
  const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  const missing = list(matcher.contains).find((part) => !text.includes(part));
  if (missing !== undefined) return `to contain ${quote(missing)}, got ${quote(text)}`;
  const present = list(matcher.lacks).find((part) => text.includes(part));
  if (present !== undefined) return `not to contain ${quote(present)}, got ${quote(text)}`;
  if (matcher.isError !== undefined && matcher.isError !== result.isError) {
    return `${matcher.isError ? 'to be an error' : 'to succeed'}, got ${quote(text)}`;
  }
  return undefined;
}

function resultsIn(message: Message | undefined): readonly ToolResultBlock[] {
  return message?.role === 'user' ? message.content.filter((block) => block.type === 'tool_result') : [];
}

function textOf(message: Message | undefined): string {
  if (message?.role !== 'user') return '';
  return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

function list(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}

function quote(text: string): string {
  const characters = Array.from(text);
  return JSON.stringify(characters.length > 120 ? `${characters.slice(0, 120).join('')}…` : text);
}
