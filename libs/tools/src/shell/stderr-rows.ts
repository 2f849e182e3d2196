import type { ContentBlock } from '@wrongstack/contracts';

/** Kept beside a result: how many rows its text had before anybody masked or cut it, and which came from the standard error. */
export interface RowMarks {
  readonly rows?: number;
  readonly stderr?: readonly number[];
}

/** Enough for every card; a log line has to stay affordable. */
const MOST_MARKS = 2_000;

export function rowMarks(text: string, stderr: readonly number[]): RowMarks {
  if (stderr.length === 0) return {};
  return { rows: text.split('\n').length, stderr: stderr.slice(-MOST_MARKS) };
}

/** The executor's word for what it left out between a head and a tail. */
const CUT_OUT = /^\[output truncated: \d+ of \d+ bytes left out here; /;
/** What a secret of several rows leaves behind: rows behind it are fewer than they were. */
const MASKED = '***';

/** And for a call that it stopped, before what the tool still returned. */
const STOPPED = /^Stopped: (?:interrupted\.|the time limit of \d+ ms passed\.)[^\n]*(?:\n|$)/;

export interface ShownOutput {
  readonly output: string;
  readonly stderr?: readonly number[];
}

/**
 * The first block of a result as a card shows it: where it was cut, head, notice and tail, without the last `noteRows`
 * rows, which are remarks about it. Rows before the first gap are counted from the start, rows behind the last one from the
 * end; what lies between two gaps is marked by nobody, for nobody knows which rows those were.
 */
export function shownOutput(content: readonly ContentBlock[], meta: object, noteRows: number): ShownOutput {
  const texts = content.map((block) => (block.type === 'text' ? block.text : ''));
  const own = (texts[0] ?? '').replace(STOPPED, '');
  const [first = '', second = '', third = ''] =
    own === '' && texts.length > 1 ? texts.slice(1) : [own, ...texts.slice(1)];
  const cut = CUT_OUT.test(second);
  const tail = third.split('\n');
  const rows = cut
    ? [...first.split('\n'), second, ...tail.slice(0, Math.max(0, tail.length - noteRows))]
    : first.split('\n');
  const marks = marksOf(meta);
  const shown = marks === null ? [] : shiftedMarks(rows, marks);
  return { output: rows.join('\n'), ...(shown.length > 0 && { stderr: shown }) };
}

function shiftedMarks(
  rows: readonly string[],
  { rows: before, stderr }: Required<RowMarks>,
): readonly number[] {
  if (rows.length === before) return stderr;
  const gaps = rows.flatMap((row, index) => (CUT_OUT.test(row) || row.includes(MASKED) ? [index] : []));
  const [firstGap, lastGap] = [gaps[0], gaps.at(-1)];
  if (firstGap === undefined || lastGap === undefined) return [];
  const shift = rows.length - before;
  return stderr.flatMap((row) => {
    if (row < firstGap) return [row];
    return row + shift > lastGap ? [row + shift] : [];
  });
}

/** Whatever an old log holds. */
function marksOf(meta: object): Required<RowMarks> | null {
  if (!('rows' in meta) || typeof meta.rows !== 'number') return null;
  if (!('stderr' in meta) || !Array.isArray(meta.stderr)) return null;
  const stderr = meta.stderr.filter((row): row is number => typeof row === 'number');
  return { rows: meta.rows, stderr };
}
