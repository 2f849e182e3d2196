import type { RegisteredTool } from '@wrongstack/contracts';

const LONGEST_FOREIGN_TEXT = 600;

/** What cannot be seen but is read by a model: controls, zero-width, bidirectional and tag characters. */

const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;

/**
 * A tool's description for the model. Text of tools that are not core comes from strangers: it is cut, kept on one line so
 * that it cannot pose as a heading of ours, and freed of what a person reviewing it would not see.
 */
export function descriptionOf(tool: RegisteredTool): string {
  return foreignText(tool, tool.description);
}

/** `usageHint` where there is one, for the system prompt. */
export function usageTextOf(tool: RegisteredTool): string {
  return foreignText(tool, tool.usageHint ?? tool.description);
}

function foreignText(tool: RegisteredTool, text: string): string {
  if (tool.owner === 'core') return text;
  return visibleLine(text, LONGEST_FOREIGN_TEXT);
}

export function visibleLine(text: string, longest: number): string {
  const line = text.replace(INVISIBLE, '').replace(/\s+/gu, ' ').trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
