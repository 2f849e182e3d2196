import type { FileOperation, SearchBlock } from './file-operation.js';
import { PatchLines, headerPath, malformed } from './patch-lines.js';

const SEARCH = /^<{5,9} SEARCH\s*$/;
const SEPARATOR = /^={5,9}\s*$/;
const REPLACE = /^>{5,9} REPLACE\s*$/;

export function hasSearchBlocks(patch: string): boolean {
  return patch.split('\n').some((line) => SEARCH.test(line) || REPLACE.test(line));
}

/** SEARCH/REPLACE blocks, each below the name of its file, or of the file of the block before it. */
export function parseSearchBlocks(patch: string): readonly FileOperation[] {
  const lines = new PatchLines(patch);
  const files = new Map<string, SearchBlock[]>();
  let path: string | undefined;
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    const number = lines.number - 1;
    if (SEARCH.test(line)) {
      if (path === undefined)
        throw malformed('the block names no file: put its path on the line before', number);
      files.set(path, [...(files.get(path) ?? []), readBlock(lines, number)]);
    } else if (SEPARATOR.test(line) || REPLACE.test(line)) {
      throw malformed('a block starts with <<<<<<< SEARCH', number);
    } else if (line.trim() !== '' && !line.trim().startsWith('```')) {
      path = headerPath(line, number);
    }
  }
  return [...files].map(([name, blocks]) => ({
    kind: 'update',
    path: name,
    to: name,
    how: 'move',
    mayReplace: false,
    change: { by: 'blocks', blocks },
    executable: undefined,
  }));
}

function readBlock(lines: PatchLines, number: number): SearchBlock {
  const search = readUntil(lines, SEPARATOR, number);
  const replacement = readUntil(lines, REPLACE, number);
  if (search === '') throw malformed('the SEARCH part is empty', number);
  return { search, replacement };
}

function readUntil(lines: PatchLines, end: RegExp, start: number): string {
  let text = '';
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    if (end.test(line)) return text;
    if (SEARCH.test(line) || SEPARATOR.test(line) || REPLACE.test(line)) {
      throw malformed('markers are out of order: SEARCH, =======, REPLACE', lines.number - 1);
    }
    text += `${line}\n`;
  }
  throw malformed('the block is not closed by >>>>>>> REPLACE', start);
}
