import { DIFF_VECTORS } from './unified.vectors.spec-support.js';

/** One patch each: the files before, the patch, and the files after byte for byte, or the code of the refusal. */
export interface PatchVector {
  readonly title: string;
  readonly before: Readonly<Record<string, string>>;
  readonly patch: string;
  readonly after: Readonly<Record<string, string>> | { readonly refused: string };
  /** Files that were read before: what a patch puts over a file must have been looked at. */
  readonly read?: readonly string[];
}

const refused = (code: string): { refused: string } => ({ refused: code });
const envelope = (...lines: readonly string[]): string =>
  ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');

const ENVELOPES: readonly PatchVector[] = [
  {
    title: 'adds a file',
    before: {},
    patch: envelope('*** Add File: bar.md', '+This is a new file'),
    after: { 'bar.md': 'This is a new file\n' },
  },
  {
    title: 'changes two places of one file',
    before: { 'multi.txt': 'line1\nline2\nline3\nline4\n' },
    patch: envelope('*** Update File: multi.txt', '@@', '-line2', '+changed2', '@@', '-line4', '+changed4'),
    after: { 'multi.txt': 'line1\nchanged2\nline3\nchanged4\n' },
  },
  {
    title: 'is not empty',
    before: { 'foo.txt': 'stable\n' },
    patch: envelope(),
    after: refused('patch.malformed'),
  },
  {
    title: 'needs the lines that it changes',
    before: { 'modify.txt': 'line1\nline2\n' },
    patch: envelope('*** Update File: modify.txt', '@@', '-missing', '+changed'),
    after: refused('patch.no_match'),
  },
  {
    title: 'needs a change in an update',
    before: { 'foo.txt': 'stable\n' },
    patch: envelope('*** Update File: foo.txt'),
    after: refused('patch.malformed'),
  },
  {
    title: 'moves over a file that was read',
    before: {
      'old/name.txt': 'from\n',
      'old/other.txt': 'unrelated file\n',
      'renamed/dir/name.txt': 'existing\n',
    },
    read: ['renamed/dir/name.txt'],
    patch: envelope(
      '*** Update File: old/name.txt',
      '*** Move to: renamed/dir/name.txt',
      '@@',
      '-from',
      '+new',
    ),
    after: { 'old/other.txt': 'unrelated file\n', 'renamed/dir/name.txt': 'new\n' },
  },
  {
    title: 'adds over a file that was read',
    before: { 'duplicate.txt': 'old content\n' },
    read: ['duplicate.txt'],
    patch: envelope('*** Add File: duplicate.txt', '+new content'),
    after: { 'duplicate.txt': 'new content\n' },
  },
  {
    title: 'adds over no file that nobody read',
    before: { 'duplicate.txt': 'old content\n' },
    patch: envelope('*** Add File: duplicate.txt', '+new content'),
    after: refused('fs.unread'),
  },
  {
    title: 'knows three headers',
    before: { 'foo.txt': 'stable\n' },
    patch: envelope('*** Frobnicate File: foo'),
    after: refused('patch.malformed'),
  },
  {
    title: 'may have spaces around its outer markers',
    before: { 'file.txt': 'one\n' },
    patch: ' *** Begin Patch \n*** Update File: file.txt\n@@\n-one\n+two\n *** End Patch \n',
    after: { 'file.txt': 'two\n' },
  },
  {
    title: 'keeps every letter',
    before: { 'foo.txt': 'line1\nnaïve café\nline3\n' },
    patch: envelope('*** Update File: foo.txt', '@@', ' line1', '-naïve café', '+naïve café ✅'),
    after: { 'foo.txt': 'line1\nnaïve café ✅\nline3\n' },
  },
  {
    title: 'says that a hunk is the end of the file',
    before: { 'tail.txt': 'second\nfirst\nsecond\n' },
    patch: envelope('*** Update File: tail.txt', '@@', '-second', '+second updated', '*** End of File'),
    after: { 'tail.txt': 'second\nfirst\nsecond updated\n' },
  },
  {
    title: 'deletes a file',
    before: { 'del.txt': 'x', 'kept.txt': 'k' },
    patch: envelope('*** Delete File: del.txt').trimEnd(),
    after: { 'kept.txt': 'k' },
  },
  {
    title: 'changes a file and moves it',
    before: { 'src.txt': 'line\n' },
    patch: envelope('*** Update File: src.txt', '*** Move to: dst.txt', '@@', '-line', '+line2'),
    after: { 'dst.txt': 'line2\n' },
  },
  {
    title: 'has context in its hunks',
    before: { 'multi.txt': 'foo\nbar\nbaz\nqux\n' },
    patch: envelope('*** Update File: multi.txt', '@@', ' foo', '-bar', '+BAR', '@@', ' baz', '-qux', '+QUX'),
    after: { 'multi.txt': 'foo\nBAR\nbaz\nQUX\n' },
  },
  {
    title: 'appends at the end between other changes',
    before: { 'i.txt': 'a\nb\nc\nd\ne\nf\n' },
    patch: envelope(
      ...['*** Update File: i.txt', '@@', ' a', '-b', '+B', '@@', ' c', ' d', '-e', '+E'],
      ...['@@', ' f', '+g', '*** End of File'],
    ),
    after: { 'i.txt': 'a\nB\nc\nd\nE\nf\ng\n' },
  },
  {
    title: 'finds typographic dashes by plain ones',
    before: { 'u.py': 'import asyncio  # local import – avoids top‑level dep\n' },
    patch: envelope(
      '*** Update File: u.py',
      '@@',
      '-import asyncio  # local import - avoids top-level dep',
      '+import x',
    ),
    after: { 'u.py': 'import x\n' },
  },
  {
    title: 'appends below a blank CRLF line',
    before: { 't.txt': 'a\r\n\r\n' },
    patch: envelope('*** Update File: t.txt', '@@', '+new'),
    after: { 't.txt': 'a\r\n\r\nnew\r\n' },
  },
  {
    title: 'narrows the place by several anchors',
    before: { 'a.py': 'class X:\n  def m():\n    old\nclass Y:\n  def m():\n    old\n' },
    patch: envelope('*** Update File: a.py', '@@ class Y:', '@@   def m():', '-    old', '+    new'),
    after: { 'a.py': 'class X:\n  def m():\n    old\nclass Y:\n  def m():\n    new\n' },
  },
  {
    title: 'takes the first place below its one anchor',
    before: { 'a.py': 'class X:\n  old\nclass Y:\n  old\n' },
    patch: envelope('*** Update File: a.py', '@@ class X:', '-  old', '+  new'),
    after: { 'a.py': 'class X:\n  new\nclass Y:\n  old\n' },
  },
  {
    title: 'does not choose between two places of an anchor',
    before: { 'a.py': 'class X:\n  def m():\n    old\nclass Y:\n  def m():\n    old\n' },
    patch: envelope('*** Update File: a.py', '@@   def m():', '-    old', '+    new'),
    after: refused('patch.ambiguous'),
  },
  {
    title: 'does not choose between two places',
    before: { 'a.txt': 'k\nv\nk\nv\n' },
    patch: envelope('*** Update File: a.txt', '@@', '-v', '+w'),
    after: refused('patch.ambiguous'),
  },
  {
    title: 'that was cut off changes nothing',
    before: { 'a.txt': 'a\nb\n' },
    patch: '*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+A\n',
    after: refused('patch.malformed'),
  },
  {
    title: 'keeps CRLF, the byte order mark and a missing last line ending',
    before: { 'a.txt': '\uFEFFone\r\ntwo\nthree' },
    patch: envelope('*** Update File: a.txt', '@@', '-one', '+1', ' two', '-three', '+3'),
    after: { 'a.txt': '\uFEFF1\r\ntwo\n3' },
  },
  {
    title: 'sees what an earlier part of it made',
    before: { 'a.txt': 'a\n' },
    patch: envelope('*** Update File: a.txt', '@@', '-a', '+b', '*** Update File: a.txt', '@@', '-b', '+c'),
    after: { 'a.txt': 'c\n' },
  },
  {
    title: 'is all or nothing across files',
    before: { 'a.txt': 'a\n', 'b.txt': 'b\n' },
    patch: envelope('*** Update File: a.txt', '@@', '-a', '+A', '*** Update File: b.txt', '@@', '-x', '+B'),
    after: refused('patch.no_match'),
  },
];

const block = (...lines: readonly string[]): string => lines.join('\n');

const BLOCKS: readonly PatchVector[] = [
  {
    title: 'one after another',
    before: { 'a.ts': 'one\ntwo\n' },
    patch: block(
      'a.ts',
      '<<<<<<< SEARCH',
      'one',
      '=======',
      '1',
      '>>>>>>> REPLACE',
      '<<<<<<< SEARCH',
      'two',
      '=======',
      '2',
      '>>>>>>> REPLACE',
    ),
    after: { 'a.ts': '1\n2\n' },
  },
  {
    title: 'that is not closed',
    before: { 'foo.txt': 'Two\n' },
    patch: block('```text', 'foo.txt', '<<<<<<< SEARCH', 'Two', '=======', 'Tooooo', '', '', 'oops!', ''),
    after: refused('patch.malformed'),
  },
  {
    title: 'whose separator comes first',
    before: { 'test.ts': 'x\n' },
    patch: block('test.ts', '=======', 'content', '>>>>>>> REPLACE'),
    after: refused('patch.malformed'),
  },
  {
    title: 'with two separators',
    before: { 'test.ts': 'content\n' },
    patch: block('test.ts', '<<<<<<< SEARCH', 'content', '=======', '=======', '>>>>>>> REPLACE'),
    after: refused('patch.malformed'),
  },
  {
    title: 'that fits twice',
    before: { 't.txt': 'line1\nline2\nline1\n' },
    patch: block('t.txt', '<<<<<<< SEARCH', 'line1', '=======', 'new', '>>>>>>> REPLACE'),
    after: refused('edit.ambiguous'),
  },
];

export const PATCH_VECTORS: readonly (readonly [string, readonly PatchVector[]])[] = [
  ['an envelope', ENVELOPES],
  ['a diff', DIFF_VECTORS],
  ['a search block', BLOCKS],
];
