/** What a region looks like on the terminal: painted rows, and where the cursor stands in them. */
export interface PaintedRegion {
  readonly rows: readonly string[];
  /** Width in columns of each row; needed when the terminal is resized and wraps them. */
  readonly widths: readonly number[];
  readonly cursor: { readonly row: number; readonly column: number };
  readonly cursorShown: boolean;
}

export const NO_REGION: PaintedRegion = {
  rows: [],
  widths: [],
  cursor: { row: 0, column: 0 },
  cursorShown: true,
};

const CLEAR_LINE_END = '\x1b[K';
const CLEAR_BELOW = '\x1b[J';

/**
 * Bytes that turn `previous` into `next`, with `transcript` printed above. Only changed rows are written. The cursor is
 * the one anchor: all movement is relative to it, so the region needs no absolute position and no alternate screen.
 */
export function paintRegion(
  previous: PaintedRegion,
  next: PaintedRegion,
  transcript: readonly string[],
): string {
  let out = '';
  let kept = previous;
  if (transcript.length > 0) {
    out += `${toTop(previous)}${CLEAR_BELOW}${transcript.map((row) => `${row}\r\n`).join('')}`;
    kept = NO_REGION;
  }
  out += rewriteRows(kept, next);
  out += next.cursorShown === previous.cursorShown ? '' : next.cursorShown ? '\x1b[?25h' : '\x1b[?25l';
  return out;
}

function rewriteRows(previous: PaintedRegion, next: PaintedRegion): string {
  const changed = next.rows.flatMap((row, index) => (row === previous.rows[index] ? [] : [index]));
  const shrinks = next.rows.length < previous.rows.length;
  let out = '';
  let row = previous.cursor.row;
  const goTo = (target: number): void => {
    // Rows that do not exist yet are made by line feeds, which scroll where there is no room below.
    const existing = Math.max(previous.rows.length, 1) - 1;
    if (target < row) out += `\x1b[${row - target}A`;
    while (row < target && row < existing) {
      const step = Math.min(target, existing) - row;
      out += `\x1b[${step}B`;
      row += step;
    }
    if (target > row) out += '\r' + '\n'.repeat(target - row);
    row = target;
    out += '\r';
  };
  for (const index of changed) {
    goTo(index);
    out += (next.rows[index] ?? '') + CLEAR_LINE_END;
  }
  if (shrinks) {
    goTo(Math.max(0, next.rows.length - 1));
    // Everything below the last row, and the rest of that row's end stays as it is.
    out +=
      next.rows.length === 0
        ? CLEAR_BELOW
        : `\x1b[${Math.max(1, (next.widths.at(-1) ?? 0) + 1)}G${CLEAR_BELOW}`;
  }
  if (changed.length === 0 && !shrinks && samePlace(previous, next)) return out;
  goTo(next.cursor.row);
  return next.cursor.column > 0 ? `${out}\x1b[${next.cursor.column}C` : out;
}

function samePlace(previous: PaintedRegion, next: PaintedRegion): boolean {
  return previous.cursor.row === next.cursor.row && previous.cursor.column === next.cursor.column;
}

function toTop(region: PaintedRegion): string {
  return region.cursor.row > 0 ? `\x1b[${region.cursor.row}A\r` : '\r';
}

/**
 * After a resize the terminal has wrapped the old rows anew: go to where the first of them begins now and clear from
 * there. Rows are never longer than the old width, so this is exact where terminals reflow.
 */
export function eraseAfterResize(region: PaintedRegion, columns: number): string {
  const rowsOf = (width: number): number => Math.max(1, Math.ceil(width / columns));
  const above = region.widths.slice(0, region.cursor.row).reduce((sum, width) => sum + rowsOf(width), 0);
  const up = above + Math.floor(region.cursor.column / columns);
  return `${up > 0 ? `\x1b[${up}A` : ''}\r${CLEAR_BELOW}`;
}
