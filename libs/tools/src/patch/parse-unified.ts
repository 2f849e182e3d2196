import type { FileOperation, Hunk, HunkLine } from './file-operation.js';
import { gitHeaderNames, readName, withoutPrefixes, type Names } from './git-path.js';
import { hunkLine } from './parse-envelope.js';
import { PatchLines, headerPath, malformed } from './patch-lines.js';

/** What the lines between `diff --git` and the first hunk say. */
interface Header {
  readonly line: number;
  git: readonly [string, string] | null;
  isGit: boolean;
  before?: string;
  after?: string;
  from?: string;
  to?: string;
  how: 'move' | 'copy';
  created: boolean;
  deleted: boolean;
  executable?: boolean;
}

/** Unified diffs, with or without git's extended headers. Text around the diffs (a mail, a commit message) is skipped. */
export function parseUnified(patch: string): readonly FileOperation[] {
  const lines = new PatchLines(patch);
  const operations: FileOperation[] = [];
  while (!lines.onlyBlanksLeft) {
    if (startsFile(lines)) operations.push(parseFile(lines));
    else if (lines.peek()?.startsWith('@@ ') === true) {
      throw malformed('the hunk belongs to no file: --- and +++ lines come first', lines.number);
    } else lines.next();
  }
  return operations;
}

function startsFile(lines: PatchLines): boolean {
  const line = lines.peek() ?? '';
  return line.startsWith('diff --git ') || isNamePair(lines);
}

function isNamePair(lines: PatchLines): boolean {
  return (lines.peek() ?? '').startsWith('--- ') && (lines.peek(1) ?? '').startsWith('+++ ');
}

function parseFile(lines: PatchLines): FileOperation {
  const header = parseHeader(lines);
  const hunks: Hunk[] = [];
  while (lines.peek()?.startsWith('@@ ') === true) hunks.push(parseHunk(lines));
  return operationOf(header, hunks);
}

function parseHeader(lines: PatchLines): Header {
  const header: Header = {
    line: lines.number,
    git: null,
    isGit: false,
    how: 'move',
    created: false,
    deleted: false,
  };
  if (lines.peek()?.startsWith('diff --git ') === true) {
    header.isGit = true;
    header.git = gitHeaderNames((lines.next() ?? '').slice('diff --git '.length), header.line);
    while (readExtended(header, lines)) lines.next();
  }
  if (isNamePair(lines)) {
    header.before = readName((lines.next() ?? '').slice(4), lines.number - 1);
    header.after = readName((lines.next() ?? '').slice(4), lines.number - 1);
  }
  return header;
}

/** False when the line is none of git's extended header lines. */
function readExtended(header: Header, lines: PatchLines): boolean {
  const line = lines.peek() ?? '';
  const number = lines.number;
  const mode = /^(old|new|new file|deleted file) mode (\S+)\s*$/.exec(line);
  if (mode !== null) {
    const executable = readMode(mode[2] ?? '', number);
    if (mode[1] === 'new file') header.created = true;
    if (mode[1] === 'deleted file') header.deleted = true;
    if (mode[1] === 'new' || mode[1] === 'new file') header.executable = executable;
    return true;
  }
  const named = /^(rename|copy) (from|to) (.*)$/.exec(line);
  if (named !== null) {
    header.how = named[1] === 'copy' ? 'copy' : 'move';
    header[named[2] === 'to' ? 'to' : 'from'] = headerPath(readName(named[3] ?? '', number), number);
    return true;
  }
  const index = /^index \S+?(?: (\d+))?\s*$/.exec(line);
  if (index !== null) {
    if (index[1] !== undefined) readMode(index[1], number);
    return true;
  }
  if (/^(?:GIT binary patch|Binary files )/.test(line)) {
    throw malformed('binary changes are not supported: use bash for this file', number);
  }
  return /^(?:dis)?similarity index /.test(line);
}

/** Only regular files: a link or a submodule made by a patch would lead later writes elsewhere. */
function readMode(mode: string, line: number): boolean {
  if (mode === '100644' || mode === '100755') return mode === '100755';
  const kinds: Readonly<Record<string, string>> = { '120000': 'a symbolic link', '160000': 'a submodule' };
  throw malformed(
    `mode ${mode} is ${kinds[mode] ?? 'no regular file'}: only regular files are patched`,
    line,
  );
}

function operationOf(header: Header, hunks: readonly Hunk[]): FileOperation {
  const { before, after } = namesOf(header);
  const [only] = hunks;
  if (before === null || header.created) {
    const path = required(after, header);
    if (header.from !== undefined || header.deleted)
      throw malformed('the headers contradict each other', header.line);
    if (hunks.some((hunk) => hunk.lines.some((line) => line.kind !== 'add'))) {
      throw malformed(`the new file ${path} has lines that are not added`, header.line);
    }
    const content = hunks.map(addedText).join('');
    return { kind: 'add', path, content, mayReplace: false, executable: header.executable ?? false };
  }
  if (after === null || header.deleted) {
    if (hunks.length > 1 || only?.lines.some((line) => line.kind !== 'remove') === true) {
      throw malformed(`the deleted file ${before} has lines that stay`, header.line);
    }
    return { kind: 'delete', path: before, content: only === undefined ? null : { ...only, atEnd: true } };
  }
  const moved = header.from !== undefined || header.to !== undefined;
  if (!moved && before !== after) {
    throw malformed(
      `--- names ${before} and +++ names ${after}: a rename needs git's rename headers`,
      header.line,
    );
  }
  if (hunks.length === 0 && !moved && header.executable === undefined) {
    throw malformed(`the diff of ${before} has no hunks`, header.line);
  }
  return {
    kind: 'update',
    path: before,
    to: after,
    how: header.how,
    mayReplace: false,
    change: { by: 'hunks', hunks },
    executable: header.executable,
  };
}

/** All headers that name a file must name the same one: what is claimed is what is changed. */
function namesOf(header: Header): Names {
  const pairs: Names[] = [];
  if (header.before !== undefined && header.after !== undefined) {
    pairs.push(withoutPrefixes(header.before, header.after));
  }
  if (header.git !== null) {
    const names = withoutPrefixes(...header.git);
    pairs.push({
      before: header.created ? null : names.before,
      after: header.deleted ? null : names.after,
    });
  }
  if (header.from !== undefined || header.to !== undefined) {
    if (header.from === undefined || header.to === undefined) {
      throw malformed('rename and copy need both a "from" and a "to" line', header.line);
    }
    pairs.push({ before: header.from, after: header.to });
  }
  const [first] = pairs;
  if (first === undefined) throw malformed('the diff names no file', header.line);
  if (pairs.some((pair) => pair.before !== first.before || pair.after !== first.after)) {
    throw malformed('the headers of one diff name different files', header.line);
  }
  for (const name of [first.before, first.after]) if (name !== null) headerPath(name, header.line);
  return first;
}

function required(name: string | null, header: Header): string {
  if (name === null) throw malformed('the diff names no file', header.line);
  return name;
}

function addedText(hunk: Hunk): string {
  const text = hunk.lines.map((line) => `${line.text}\n`).join('');
  return hunk.openEnd.after ? text.slice(0, -1) : text;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

function parseHunk(lines: PatchLines): Hunk {
  const patchLine = lines.number;
  const match = HUNK.exec(lines.next() ?? '');
  if (match === null) throw malformed('a hunk header looks like @@ -1,2 +1,3 @@', patchLine);
  const left = { before: Number(match[2] ?? 1), after: Number(match[4] ?? 1) };
  const body: HunkLine[] = [];
  const openEnd = { before: false, after: false };
  for (let text = lines.peek(); text !== undefined; text = lines.peek()) {
    if (text.startsWith('\\')) {
      const last = body.at(-1)?.kind;
      if (last !== 'add') openEnd.before = true;
      if (last !== 'remove') openEnd.after = true;
    } else {
      // Counts say where a hunk ends; where they are wrong, as models write them, its lines do.
      const more = left.before > 0 || left.after > 0;
      if (!more && (startsFile(lines) || !continues(text))) break;
      if (more && endsEarly(lines, left)) break;
      const line = hunkLine(text, lines.number);
      if (line.kind !== 'add') left.before -= 1;
      if (line.kind !== 'remove') left.after -= 1;
      body.push(line);
    }
    lines.next();
  }
  if (!body.some((line) => line.kind !== 'context')) {
    throw malformed('the hunk neither adds nor removes a line', patchLine);
  }
  const startLine = Number(match[1]);
  return { patchLine, anchors: [], startLine, lines: body, atEnd: openEnd.before || openEnd.after, openEnd };
}

/** A line of a hunk that goes on past its count. A mail's `-- ` signature and blank lines end it. */
function continues(text: string): boolean {
  return /^[ +-]/.test(text) && text !== '-- ';
}

/**
 * Fewer lines than counted. Inside a hunk `--- x` may be a removed line `-- x`: it starts a file when a hunk header
 * follows the pair, unless the counts ask for exactly these two lines.
 */
function endsEarly(lines: PatchLines, left: { readonly before: number; readonly after: number }): boolean {
  const text = lines.peek() ?? '';
  if (text.startsWith('@@ ') || text.startsWith('diff --git ')) return true;
  if (lines.onlyEmptyLeft > 0) {
    // Empty lines of context that lost their space, where the counts ask for them; else the end of a message.
    return left.before !== left.after || lines.onlyEmptyLeft < left.before;
  }
  const counted = left.before === 1 && left.after === 1;
  return !counted && isNamePair(lines) && HUNK.test(lines.peek(2) ?? '');
}
