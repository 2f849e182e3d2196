/**
 * Makes text from models, tools and files safe to show: what a terminal would obey, or what nobody can see, is spelled
 * out as `\u001b`. Nothing is dropped, because a person must see what is really there.
 */

const SAFE = /^[\x20-\x7e]*$/;

// Pictographs may be joined (family emoji) and given a presentation (U+FE0F); everywhere else these two are invisible.
const PICTOGRAPH = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/u;
const KEYCAP_BASE = /[0-9#*]/;
const JOINER = 0x200d;
const EMOJI_PRESENTATION = 0xfe0f;
const KEYCAP = 0x20e3;

/** Ranges that are obeyed, reorder text, or take no room: C0, DEL, C1, bidi, zero-width, fillers, selectors, tags. */
const HIDDEN: readonly (readonly [number, number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0x13430, 0x1343f],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

/** For one line on a terminal: control and hidden characters spelled out, tabs expanded to stops of four. */
export function escapeText(text: string): string {
  return SAFE.test(text) ? text : spellOut(text, false);
}

/** For text that leaves through a pipe: as {@link escapeText}, but line ends and tabs stay; CRLF becomes LF. */
export function escapeForPipe(text: string): string {
  return SAFE.test(text) ? text : spellOut(text.replace(/\r\n/g, '\n'), true);
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

export function isHidden(code: number): boolean {
  if (code >= 0x20 && code < 0x7f) return false;
  return HIDDEN.some(([first, last]) => code >= first && code <= last);
}

export function spelled(code: number): string {
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

function belongsToEmoji(characters: readonly string[], index: number, code: number): boolean {
  const before = characters[index - 1] ?? '';
  const after = characters[index + 1] ?? '';
  if (code === EMOJI_PRESENTATION) {
    return PICTOGRAPH.test(before) || (KEYCAP_BASE.test(before) && after.codePointAt(0) === KEYCAP);
  }
  if (code !== JOINER) return false;
  const base = before.codePointAt(0) === EMOJI_PRESENTATION ? (characters[index - 2] ?? '') : before;
  return PICTOGRAPH.test(base) && PICTOGRAPH.test(after);
}
