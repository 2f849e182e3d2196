/**
 * Characters that a screen obeys, that reorder what stands around them, or that nobody can see. Whoever shows text of models, tools and files
 * spells them out: a person must see what is really there. Needs no Node, so that a browser can use it as well.
 */

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

/** Also true for tabs and line ends: whoever keeps a layout looks at those first. */
export function isHidden(code: number): boolean {
  if (code >= 0x20 && code < 0x7f) return false;
  return HIDDEN.some(([first, last]) => code >= first && code <= last);
}

/** `\u202e`: how such a character is shown. */
export function spelled(code: number): string {
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Is this hidden character part of the emoji around it? */
export function belongsToEmoji(characters: readonly string[], index: number, code: number): boolean {
  const before = characters[index - 1] ?? '';
  const after = characters[index + 1] ?? '';
  if (code === EMOJI_PRESENTATION) {
    return PICTOGRAPH.test(before) || (KEYCAP_BASE.test(before) && after.codePointAt(0) === KEYCAP);
  }
  if (code !== JOINER) return false;
  const base = before.codePointAt(0) === EMOJI_PRESENTATION ? (characters[index - 2] ?? '') : before;
  return PICTOGRAPH.test(base) && PICTOGRAPH.test(after);
}
