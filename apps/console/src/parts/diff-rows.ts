import { diffLines } from 'diff';

export type DiffRow =
  | {
      readonly is: 'same' | 'added' | 'removed';
      readonly before: number | null;
      readonly after: number | null;
      readonly text: string;
    }
  /** Lines that are the same on both sides, folded away. */
  | { readonly is: 'fold'; readonly rows: readonly DiffRow[] };

const CONTEXT = 4;
const PATIENCE_MS = 2_000;

/** Two texts as rows. Texts too different to compare in time are shown as all of one, then all of the other. */
export function diffRows(
  before: string | null,
  after: string,
  firstBefore = 1,
  firstAfter = 1,
): readonly DiffRow[] {
  const old = before ?? '';
  const changes = diffLines(old, after, { timeout: PATIENCE_MS }) ?? [
    { value: old, removed: true, added: false },
    { value: after, added: true, removed: false },
  ];
  const rows: DiffRow[] = [];
  let left = firstBefore;
  let right = firstAfter;
  for (const { value, added, removed } of changes) {
    for (const text of linesOf(value)) {
      rows.push({
        is: added ? 'added' : removed ? 'removed' : 'same',
        before: added ? null : left,
        after: removed ? null : right,
        text,
      });
      if (!added) left += 1;
      if (!removed) right += 1;
    }
  }
  return fold(rows);
}

function linesOf(value: string): string[] {
  if (value === '') return [];
  return (value.endsWith('\n') ? value.slice(0, -1) : value).split('\n');
}

function fold(rows: readonly DiffRow[]): DiffRow[] {
  const near = new Set<number>();
  for (const [index, { is }] of rows.entries())
    if (is !== 'same') for (let at = index - CONTEXT; at <= index + CONTEXT; at += 1) near.add(at);
  const folded: DiffRow[] = [];
  for (let index = 0; index < rows.length;) {
    let end = index;
    while (end < rows.length && !near.has(end)) end += 1;
    if (end - index > 1) folded.push({ is: 'fold', rows: rows.slice(index, end) });
    else folded.push(...rows.slice(index, Math.max(end, index + 1)));
    index = Math.max(end, index + 1);
  }
  return folded;
}
