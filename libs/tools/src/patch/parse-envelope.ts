import type { FileOperation, Hunk, HunkLine } from './file-operation.js';
import { PatchLines, headerPath, malformed } from './patch-lines.js';

const BEGIN = '*** Begin Patch';
const END = '*** End Patch';
const END_OF_FILE = '*** End of File';

export function isEnvelope(patch: string): boolean {
  return patch.trimStart().startsWith(BEGIN);
}

/** The `*** Begin Patch` form. Spaces around the two outer markers do not count; inside, every column does. */
export function parseEnvelope(patch: string): readonly FileOperation[] {
  const body = patch.trim().replace(/\r\n/g, '\n').split('\n');
  if (body[0]?.trim() !== BEGIN) throw malformed(`the first line must be "${BEGIN}"`, 1);
  // A patch that was cut off must not be applied up to where it was cut.
  if (body.length < 2 || body.at(-1)?.trim() !== END) throw malformed(`the last line must be "${END}"`);
  const lines = new PatchLines(['', ...body.slice(1, -1), ''].join('\n'));
  lines.next();
  const operations: FileOperation[] = [];
  while (lines.peek() !== undefined) {
    if (lines.peek()?.trim() === '') lines.next();
    else operations.push(parseFile(lines));
  }
  return operations;
}

function parseFile(lines: PatchLines): FileOperation {
  const number = lines.number;
  const header = lines.next() ?? '';
  const after = (start: string): string | undefined =>
    header.startsWith(start) ? headerPath(header.slice(start.length), number) : undefined;
  const added = after('*** Add File:');
  if (added !== undefined) {
    return { kind: 'add', path: added, content: addedContent(lines), mayReplace: true, executable: false };
  }
  const deleted = after('*** Delete File:');
  if (deleted !== undefined) return { kind: 'delete', path: deleted, content: null };
  const updated = after('*** Update File:');
  if (updated !== undefined) return parseUpdate(updated, lines, number);
  throw malformed('expected "*** Add File:", "*** Update File:" or "*** Delete File:"', number);
}

function addedContent(lines: PatchLines): string {
  let content = '';
  for (let line = lines.peek(); line !== undefined && !isHeader(line); line = lines.peek()) {
    if (line === '' && nothingAdded(lines)) break;
    if (!line.startsWith('+')) throw malformed('every line of an added file starts with +', lines.number);
    content += `${line.slice(1)}\n`;
    lines.next();
  }
  return content;
}

/** Blank lines between two files of the patch. */
function nothingAdded(lines: PatchLines): boolean {
  const next = lines.upcoming;
  return next === undefined || isHeader(next);
}

function isHeader(line: string): boolean {
  return line.startsWith('*** ') && line.trimEnd() !== END_OF_FILE;
}

function parseUpdate(path: string, lines: PatchLines, number: number): FileOperation {
  let to = path;
  const move = lines.peek();
  if (move?.startsWith('*** Move to:') === true) {
    to = headerPath(move.slice('*** Move to:'.length), lines.number);
    lines.next();
  }
  const hunks: Hunk[] = [];
  for (let line = lines.peek(); line !== undefined && !isHeader(line); line = lines.peek()) {
    if (line.trim() === '' && nothingAdded(lines)) {
      lines.next();
      continue;
    }
    hunks.push(parseHunk(lines));
  }
  if (hunks.length === 0 && to === path) throw malformed(`the update of ${path} changes nothing`, number);
  return {
    kind: 'update',
    path,
    to,
    how: 'move',
    mayReplace: true,
    change: { by: 'hunks', hunks },
    executable: undefined,
  };
}

function parseHunk(lines: PatchLines): Hunk {
  const patchLine = lines.number;
  const anchors: string[] = [];
  for (let line = lines.peek(); line?.startsWith('@@') === true; line = lines.peek()) {
    const anchor = line.slice(2).replace(/^ /, '');
    if (anchor.trim() !== '') anchors.push(anchor);
    lines.next();
  }
  const body: HunkLine[] = [];
  let atEnd = false;
  for (let line = lines.peek(); line !== undefined; line = lines.peek()) {
    if (line.trimEnd() === END_OF_FILE) {
      atEnd = true;
      lines.next();
      break;
    }
    if (line.startsWith('@@') || isHeader(line) || (line === '' && nothingAdded(lines))) break;
    body.push(hunkLine(line, lines.number));
    lines.next();
  }
  if (!body.some((line) => line.kind !== 'context')) {
    throw malformed('the hunk neither adds nor removes a line', patchLine);
  }
  return {
    patchLine,
    anchors,
    startLine: null,
    lines: body,
    atEnd,
    openEnd: { before: false, after: false },
  };
}

export function hunkLine(line: string, number: number): HunkLine {
  if (line === '') return { kind: 'context', text: '' };
  const text = line.slice(1);
  switch (line[0]) {
    case ' ':
      return { kind: 'context', text };
    case '-':
      return { kind: 'remove', text };
    case '+':
      return { kind: 'add', text };
    default:
      throw malformed('a hunk line starts with a space, + or -', number);
  }
}
