import type { FileDiff } from '@wrongstack/contracts';
import { structuredPatch } from 'diff';
import { escapeText } from './escape-text.js';
import { line, span, type Line } from './lines.js';
import type { Look } from './theme.js';

/** A row of a diff: `number` counts in the old file for removals, in the new one for the rest. */
export type DiffRow =
  | { readonly kind: 'added' | 'removed' | 'context'; readonly number: number; readonly text: string }
  | { readonly kind: 'gap' };

// Above this many edits the search for a minimal diff gets slow; all old lines, then all new ones, says the same.
const MAX_EDIT_LENGTH = 4_000;

export function diffRows(diff: FileDiff, context: number): DiffRow[] {
  const patch = structuredPatch('a', 'b', diff.oldText ?? '', diff.newText, undefined, undefined, {
    context,
    maxEditLength: MAX_EDIT_LENGTH,
  });
  // The texts may be one hunk of the file.
  const { oldStart = 1, newStart = oldStart } = diff;
  if (patch === undefined) return replacedWhole(diff, oldStart, newStart);
  const rows: DiffRow[] = [];
  for (const [index, hunk] of patch.hunks.entries()) {
    if (index > 0) rows.push({ kind: 'gap' });
    let oldNumber = hunk.oldStart + oldStart - 1;
    let newNumber = hunk.newStart + newStart - 1;
    for (const raw of hunk.lines) {
      const text = raw.slice(1);
      if (raw.startsWith('-')) rows.push({ kind: 'removed', number: oldNumber++, text });
      else if (raw.startsWith('+')) rows.push({ kind: 'added', number: newNumber++, text });
      else if (raw.startsWith(' ')) {
        rows.push({ kind: 'context', number: newNumber++, text });
        oldNumber += 1;
      }
    }
  }
  return rows;
}

function replacedWhole(diff: FileDiff, oldStart: number, newStart: number): DiffRow[] {
  const rows = (text: string, kind: 'added' | 'removed', start: number): DiffRow[] =>
    text === '' ? [] : text.split('\n').map((row, index) => ({ kind, number: start + index, text: row }));
  return [...rows(diff.oldText ?? '', 'removed', oldStart), ...rows(diff.newText, 'added', newStart)];
}

export interface DiffCounts {
  readonly added: number;
  readonly removed: number;
}

export function countDiffs(diffs: readonly FileDiff[]): DiffCounts {
  let added = 0;
  let removed = 0;
  for (const row of diffs.flatMap((diff) => diffRows(diff, 0))) {
    if (row.kind === 'added') added += 1;
    if (row.kind === 'removed') removed += 1;
  }
  return { added, removed };
}

/** `  2  -   return a - b;` with the sign in colour. Rows are whole: who shows them wraps or clips. */
export function diffLines(diff: FileDiff, context: number, look: Look): Line[] {
  const rows = diffRows(diff, context);
  const widest = rows.reduce((most, row) => (row.kind === 'gap' ? most : Math.max(most, row.number)), 0);
  const digits = String(widest).length;
  // Of a piece of a file, nobody knows the lines unless its place is told; a wrong number is worse than none.
  const numbered = diff.oldText === null || diff.oldStart !== undefined;
  return rows.map((row) => {
    if (row.kind === 'gap') return line(span(`  ${look.marks.more}`, 'meta'));
    const number = span(numbered ? `  ${String(row.number).padStart(digits)}  ` : '  ', 'meta');
    // A carriage return is invisible and still a change: it is spelled out like any control character.
    const text = escapeText(row.text);
    switch (row.kind) {
      case 'added':
        return line(number, span(`+ ${text}`, 'added'));
      case 'removed':
        return line(number, span(`- ${text}`, 'removed'));
      case 'context':
        return line(number, span(`  ${text}`));
    }
  });
}
