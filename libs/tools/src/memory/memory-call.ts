import type { Context, ToolOptions } from '@wrongstack/contracts';
import { badInput, filledText, textList, type RawInput } from '../read-input.js';
import { wellFormed } from '../text/well-formed.js';
import { MEMORY_ID, MEMORY_SCOPES, type MemoryScope, type MemorySource } from './memory-record.js';

/** What the memory tools read of their inputs in the same way. */
export const MOST_TEXT = 2_000;
const MOST_TAGS = 8;
const LONGEST_TAG = 40;

/** The text to keep: one that can be stored and shown, with what looks like a secret masked before it reaches the disk. */
export function memoryText(raw: RawInput, opts: ToolOptions): string {
  const given = filledText(raw, 'text');
  if (given.length > MOST_TEXT) {
    throw badInput('text', `has ${given.length} characters, more than ${MOST_TEXT}: keep one fact a memory`);
  }
  const text = masked(printable(given), opts);
  if (text === '') throw badInput('text', 'must not be blank');
  return text;
}

export function memoryTags(raw: RawInput, opts: ToolOptions): readonly string[] {
  const tags = textList(raw, 'tags').map((tag) => masked(printable(tag).replace(/\s+/g, ' '), opts));
  if (tags.length > MOST_TAGS) throw badInput('tags', `has ${tags.length} entries, more than ${MOST_TAGS}`);
  const long = tags.find((tag) => tag === '' || tag.length > LONGEST_TAG);
  if (long !== undefined) throw badInput('tags', `must be words of 1 to ${LONGEST_TAG} characters`);
  return [...new Set(tags)];
}

export function memoryId(raw: RawInput): string {
  const id = filledText(raw, 'id');
  if (!MEMORY_ID.test(id)) throw badInput('id', 'must be the id of a memory, like m-0123456789');
  return id;
}

export function memoryScope(raw: RawInput, fallback: MemoryScope): MemoryScope {
  const [scope] = readScopes(raw, [fallback]);
  return scope ?? fallback;
}

/** Both shelves when the model names none. */
export function memoryScopes(raw: RawInput): readonly MemoryScope[] {
  return readScopes(raw, MEMORY_SCOPES);
}

export function agentSource(ctx: Context): MemorySource {
  return { who: 'agent', session: String(ctx.sessionId) };
}

function readScopes(raw: RawInput, fallback: readonly MemoryScope[]): readonly MemoryScope[] {
  const value = raw['scope'];
  if (value === undefined) return fallback;
  const scope = MEMORY_SCOPES.find((known) => known === value);
  if (scope === undefined) throw badInput('scope', 'must be project or user');
  return [scope];
}

/** Without control characters (what a memory holds reaches prompts and terminals for years), and without blank ends. */
function printable(text: string): string {
  return wellFormed(text)
    .replace(/\r\n?/g, '\n')
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (character) =>
      character === '\n' || character === '\t' ? character : ' ',
    )
    .trim();
}

function masked(text: string, opts: ToolOptions): string {
  const stream = opts.scrubStream?.();
  return stream === undefined ? text : stream.push(text) + stream.end();
}
