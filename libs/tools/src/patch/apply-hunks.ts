import { WrongStackError } from '@wrongstack/contracts';
import { endingFor, joinFile, splitFile, type FileLine } from './file-lines.js';
import { oldLines, type Hunk } from './file-operation.js';
import { findHunk } from './find-hunk.js';

/**
 * The text after all hunks. Lines that a hunk only names as context keep the file's own bytes; new lines take the
 * ending of the line that they replace; a last line without an ending stays so unless the patch speaks about it.
 */
export function applyHunks(source: string, hunks: readonly Hunk[], display: string): string {
  const lines = splitFile(source);
  const openEnded = source !== '' && lines.at(-1)?.ending === '';
  const result: FileLine[] = [];
  let from = 0;
  let drift = 0;
  let end: Hunk['openEnd'] | undefined;
  for (const hunk of hunks) {
    const start = findHunk(hunk, { lines, from, drift, display });
    result.push(...lines.slice(from, start), ...changedLines(hunk, lines, start));
    if (hunk.startLine !== null) drift = start - (hunk.startLine - 1);
    from = start + oldLines(hunk).length;
    if (hunk.openEnd.before || hunk.openEnd.after) end = hunk.openEnd;
  }
  if (end !== undefined && from !== lines.length) {
    throw new WrongStackError(
      'patch.no_match',
      `the patch says that ${display} ends without a line ending, but more lines follow: read the file again`,
    );
  }
  result.push(...lines.slice(from));
  return joinFile(closed(result, lines, endsOpen(openEnded, end)));
}

function endsOpen(openEnded: boolean, end: Hunk['openEnd'] | undefined): boolean {
  if (end === undefined || end.before === end.after) return end?.after ?? openEnded;
  return end.after;
}

function changedLines(hunk: Hunk, lines: readonly FileLine[], start: number): FileLine[] {
  const result: FileLine[] = [];
  let old = start;
  // Within one run of changes the first new line stands for the first removed one, and so on.
  let replaced = start;
  for (const line of hunk.lines) {
    switch (line.kind) {
      case 'context': {
        const kept = lines[old];
        if (kept !== undefined) result.push(kept);
        old += 1;
        replaced = old;
        break;
      }
      case 'remove':
        old += 1;
        break;
      case 'add':
        result.push({ text: line.text, ending: endingFor(lines, replaced < old ? replaced : old - 1) });
        if (replaced < old) replaced += 1;
        break;
    }
  }
  return result;
}

/** Every line but the last has an ending; the last one has one unless `open`. */
function closed(
  lines: readonly FileLine[],
  original: readonly FileLine[],
  open: boolean,
): readonly FileLine[] {
  return lines.map((line, index) => {
    const last = index === lines.length - 1;
    // An empty line is only there by its ending.
    if (last && open && line.text !== '') return { text: line.text, ending: '' };
    return line.ending === '' ? { text: line.text, ending: endingFor(original, original.length) } : line;
  });
}
