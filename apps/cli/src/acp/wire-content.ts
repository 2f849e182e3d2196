import path from 'node:path';
import type { ContentBlock as WireBlock, ToolCallContent, ToolCallLocation } from '@agentclientprotocol/sdk';
import type { ContentBlock, FileDiff, FileLocation } from '@wrongstack/contracts';
import { escapeForPipe, escapeText } from '../terminal/escape-text.js';

/** One of our blocks as the protocol writes it. */
export function wireBlock(block: ContentBlock): WireBlock {
  return block.type === 'text'
    ? { type: 'text', text: block.text }
    : { type: 'image', mimeType: block.mediaType, data: block.data };
}

export function contentOf(blocks: readonly ContentBlock[]): ToolCallContent[] {
  return blocks.map((block) => ({ type: 'content', content: wireBlock(block) }));
}

export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

/** Locations and diffs are absolute on the wire; tools name files as the model did. */
export function wireLocations(cwd: string, locations: readonly FileLocation[]): ToolCallLocation[] {
  return locations.map(({ path: file, line }) => ({
    path: path.resolve(cwd, file),
    ...(line === undefined ? {} : { line }),
  }));
}

export function diffContent(cwd: string, diffs: readonly FileDiff[]): ToolCallContent[] {
  return diffs.map(({ path: file, oldText, newText }) => ({
    type: 'diff',
    path: path.resolve(cwd, file),
    oldText,
    newText,
  }));
}

/** A title in one line: a path inside the working folder is shown relative to it, and nothing in it is invisible. */
export function displayTitle(cwd: string, title: string): string {
  const inside = cwd.endsWith(path.sep) ? cwd : `${cwd}${path.sep}`;
  return escapeText(title.startsWith(inside) ? title.slice(inside.length) : title);
}

/** Raw output between fences that nothing in it can close. */
export function fenced(text: string, language: string): string {
  const shown = escapeForPipe(text).replace(/\n$/, '');
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${shown}\n${fence}`;
}
