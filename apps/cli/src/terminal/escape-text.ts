import { belongsToEmoji, isHidden, spelled } from '@wrongstack/contracts';

/**
 * Makes text from models, tools and files safe to show: what a terminal would obey, or what nobody can see, is spelled
 * out as `\u001b`. Nothing is dropped, because a person must see what is really there.
 */

const SAFE = /^[\x20-\x7e]*$/;
const SAFE_LINES = /^[\t\n\x20-\x7e]*$/;

/** For one line on a terminal: control and hidden characters spelled out, tabs expanded to stops of four. */
export function escapeText(text: string): string {
  return SAFE.test(text) ? text : spellOut(text, false);
}

/** For text that leaves through a pipe: as {@link escapeText}, but line ends and tabs stay; CRLF becomes LF. */
export function escapeForPipe(text: string): string {
  return SAFE_LINES.test(text) ? text : spellOut(text.replace(/\r\n/g, '\n'), true);
}

/** One element a line, each safe to show. CRLF counts as one line end. */
export function escapedLines(text: string): string[] {
  return text.split(/\r?\n/).map(escapeText);
}

function spellOut(text: string, keepLayout: boolean): string {
  const characters = Array.from(text);
  let out = '';
  let column = 0;
  for (const [index, character] of characters.entries()) {
    const shown = show(characters, index, character, keepLayout, column);
    out += shown;
    column += shown.length;
  }
  return out;
}

function show(
  characters: readonly string[],
  index: number,
  character: string,
  keepLayout: boolean,
  column: number,
): string {
  if (keepLayout && (character === '\n' || character === '\t')) return character;
  if (character === '\t') return ' '.repeat(4 - (column % 4));
  const code = character.codePointAt(0) ?? 0;
  if (!isHidden(code) || belongsToEmoji(characters, index, code)) return character;
  return spelled(code);
}
