import fastStringWidth from 'fast-string-width';

const ASCII = /^[\x20-\x7e]*$/;
// The segmenter costs 18 ms at first use, and most text never needs it.
let segmenter: Intl.Segmenter | undefined;

/** What a person sees as single characters: `👩‍💻` is one. */
export function graphemes(text: string): string[] {
  if (ASCII.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), (part) => part.segment);
}

/** Columns that the text takes on a terminal. */
export function textWidth(text: string): number {
  return ASCII.test(text) ? text.length : fastStringWidth(text);
}

/** The longest beginning that fits, cut between graphemes, with `ellipsis` where something was left off. */
export function clipText(text: string, columns: number, ellipsis: string): string {
  if (textWidth(text) <= columns) return text;
  const room = columns - textWidth(ellipsis);
  if (room < 0) return '';
  let out = '';
  let width = 0;
  for (const grapheme of graphemes(text)) {
    width += textWidth(grapheme);
    if (width > room) break;
    out += grapheme;
  }
  return out + ellipsis;
}

export function padText(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - textWidth(text)));
}

/** Index where the grapheme before `index` begins. */
export function previousBoundary(text: string, index: number): number {
  const last = graphemes(text.slice(0, index)).at(-1);
  return index - (last?.length ?? 0);
}

/** Index after the grapheme that begins at `index`. */
export function nextBoundary(text: string, index: number): number {
  // A window is enough: no grapheme in practice is longer, and drafts may be long.
  const first = graphemes(text.slice(index, index + 64)).at(0);
  return index + (first?.length ?? 0);
}
