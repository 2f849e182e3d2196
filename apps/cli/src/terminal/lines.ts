import { escapeText } from './escape-text.js';
import { graphemes, textWidth } from './graphemes.js';

/** What a piece of text means; the theme knows how that looks. */
export type Tone =
  'text' | 'strong' | 'meta' | 'ok' | 'failed' | 'denied' | 'asks' | 'loud' | 'added' | 'removed' | 'warning';

export interface Span {
  readonly text: string;
  readonly tone: Tone;
}

/** One row of the transcript or of the live region. Its text is safe to show: spans are only made by {@link span}. */
export type Line = readonly Span[];

export type LinePart = string | Span | null | undefined | false;

/** The one way text becomes showable: control and hidden characters are spelled out here. */
export function span(text: string, tone: Tone = 'text'): Span {
  return { text: escapeText(text), tone };
}

export function line(...parts: readonly LinePart[]): Line {
  const spans: Span[] = [];
  for (const part of parts) {
    if (part === null || part === undefined || part === false || part === '') continue;
    spans.push(typeof part === 'string' ? span(part) : part);
  }
  return spans;
}

export const EMPTY_LINE: Line = [];

export function lineText(row: Line): string {
  return row.map((part) => part.text).join('');
}

export function lineWidth(row: Line): number {
  return row.reduce((sum, part) => sum + textWidth(part.text), 0);
}

/** Puts `text` before a line; used for indents. */
export function indented(row: Line, text: string, tone: Tone = 'text'): Line {
  return [span(text, tone), ...row];
}

/** Cut at `columns`, keeping tones. */
export function clipLine(row: Line, columns: number, ellipsis: string): Line {
  if (lineWidth(row) <= columns) return row;
  const room = columns - textWidth(ellipsis);
  const kept: Cell[] = [];
  let width = 0;
  for (const cell of cellsOf(row)) {
    width += cell.width;
    if (width > room) return joined([...kept, { text: ellipsis, width: 0, tone: cell.tone }]);
    kept.push(cell);
  }
  return row;
}

interface Cell {
  readonly text: string;
  readonly width: number;
  readonly tone: Tone;
}

/**
 * Break a line into rows of at most `columns`, at blanks where possible (`words`), else between graphemes. Continuation
 * rows start with `hanging`. Own code rather than fast-wrap-ansi: that one normalises the text and splits emoji.
 */
export function wrapLine(row: Line, columns: number, hanging = '', mode: 'words' | 'hard' = 'words'): Line[] {
  const limit = Math.max(columns, textWidth(hanging) + 2, 4);
  if (lineWidth(row) <= limit) return [row];
  const cells = cellsOf(row);
  const hangingCells = cellsOf([span(hanging)]);
  const rows: Cell[][] = [];
  let current: Cell[] = [];
  let width = 0;
  let lastBlank = -1;
  for (const cell of cells) {
    if (width + cell.width > limit) {
      const word = current.slice(lastBlank + 1);
      // Take the unfinished word along, unless there is no blank before it or it would not fit there either.
      const carry =
        mode === 'words' &&
        cell.text !== ' ' &&
        lastBlank >= 0 &&
        widthOf(hangingCells) + widthOf(word) + cell.width <= limit;
      rows.push(carry ? current.slice(0, lastBlank + 1) : current);
      current = carry ? [...hangingCells, ...word] : [...hangingCells];
      width = widthOf(current);
      lastBlank = -1;
      // A blank at the break is the break: it is drawn on neither row.
      if (mode === 'words' && cell.text === ' ') continue;
    }
    current.push(cell);
    width += cell.width;
    if (cell.text === ' ' && current.length > hangingCells.length && hasInk(current))
      lastBlank = current.length - 1;
  }
  rows.push(current);
  return rows.map((cellsOfRow) => trimmedEnd(joined(cellsOfRow)));
}

export function wrapLines(
  rows: readonly Line[],
  columns: number,
  hanging = '',
  mode: 'words' | 'hard' = 'words',
): Line[] {
  return rows.flatMap((row) => wrapLine(row, columns, hanging, mode));
}

function cellsOf(row: Line): Cell[] {
  return row.flatMap((part) =>
    graphemes(part.text).map((text) => ({ text, width: textWidth(text), tone: part.tone })),
  );
}

function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, cell) => sum + cell.width, 0);
}

function hasInk(cells: readonly Cell[]): boolean {
  return cells.some((cell) => cell.text !== ' ');
}

function joined(cells: readonly Cell[]): Span[] {
  const spans: Span[] = [];
  for (const cell of cells) {
    const last = spans.at(-1);
    if (last?.tone === cell.tone) spans[spans.length - 1] = { text: last.text + cell.text, tone: last.tone };
    else spans.push({ text: cell.text, tone: cell.tone });
  }
  return spans;
}

/** Without blanks at the end. */
export function trimmedEnd(row: Line): Line {
  const last = row.at(-1);
  if (last === undefined) return row;
  const text = last.text.replace(/ +$/, '');
  return text === '' ? trimmedEnd(row.slice(0, -1)) : [...row.slice(0, -1), { text, tone: last.tone }];
}
