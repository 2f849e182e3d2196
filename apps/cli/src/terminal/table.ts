import { escapeText } from './escape-text.js';
import { clipText, padText, textWidth } from './graphemes.js';
import { line, span, trimmedEnd, type Line, type Tone } from './lines.js';
import type { Look } from './theme.js';

export interface TableCell {
  readonly text: string;
  readonly tone?: Tone;
}

export interface TableColumn {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

const GAP = '  ';
const NARROWEST_LAST = 12;

/** Columns aligned by width on screen; the last one gives way when it is narrow. No frames. */
export function tableLines(
  columns: readonly TableColumn[],
  rows: readonly (readonly (string | TableCell)[])[],
  look: Look,
): Line[] {
  const cells = rows.map((row) =>
    row.map((cell) => {
      const { text, tone = 'text' } = typeof cell === 'string' ? { text: cell } : cell;
      return { text: escapeText(text.replace(/\s*\n\s*/g, ' ')), tone };
    }),
  );
  const widths = columns.map((column, index) =>
    cells.reduce((most, row) => Math.max(most, textWidth(row[index]?.text ?? '')), textWidth(column.title)),
  );
  const last = columns.length - 1;
  const before = widths.slice(0, last).reduce((sum, width) => sum + width + GAP.length, 0);
  // A pipe has no width: what reads it wants the whole text.
  const room = look.plain ? Number.POSITIVE_INFINITY : Math.max(NARROWEST_LAST, look.columns - before);
  const rowLine = (texts: readonly { text: string; tone: Tone }[]): Line =>
    trimmedEnd(
      line(
        ...columns.map((column, index) => {
          const cell = texts[index] ?? { text: '', tone: 'text' as const };
          if (index === last) return span(clipText(cell.text, room, look.marks.ellipsis), cell.tone);
          const width = widths[index] ?? 0;
          const padded =
            column.align === 'right'
              ? ' '.repeat(width - textWidth(cell.text)) + cell.text
              : padText(cell.text, width);
          return span(padded + GAP, cell.tone);
        }),
      ),
    );
  return [rowLine(columns.map(({ title }) => ({ text: title, tone: 'meta' }))), ...cells.map(rowLine)];
}
