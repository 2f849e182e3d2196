import { closeSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Script, createContext } from 'node:vm';
import { codeOf, messageOf, type ToolOptions } from '@wrongstack/contracts';
import { openDescriptor, type OpenedDescriptor } from '../paths/open-descriptor.js';
import { decode, detectFormat } from '../text/text-encoding.js';
import { compileGlob } from './glob-pattern.js';
import {
  MOST_FILE_BYTES,
  mostMatches,
  shorten,
  type GrepEnd,
  type GrepLine,
  type GrepQuery,
  type GrepSink,
} from './grep-query.js';
import { SEARCH_DEADLINE_MS, type SearchRoot } from './search-root.js';
import { walk } from './walk.js';

/** A pattern that takes longer on one file backtracks without end: it is interrupted. */
const MOST_MILLISECONDS_PER_FILE = 1000;

/** The same search where ripgrep cannot run, with JavaScript's regular expressions. */
export async function grepByWalking(
  root: SearchRoot,
  query: GrepQuery,
  sink: GrepSink,
  opts: ToolOptions,
): Promise<GrepEnd> {
  const expression = compile(query);
  if (typeof expression === 'string') return { kind: 'bad-pattern', message: expression };
  const search = new LineSearch(expression, mostMatches(query));
  const deadline = AbortSignal.timeout(SEARCH_DEADLINE_MS);
  const signal = AbortSignal.any([opts.signal, deadline]);
  const folder = root.kind === 'folder' ? root.real : dirname(root.real);
  try {
    for await (const path of candidates(root, query.glob, signal)) {
      if (sink.skips(path)) continue;
      const read = readText(join(folder, path));
      if (read === null) continue;
      const { text } = read;
      const found = search.linesIn(text);
      if (found.length === 0) continue;
      if (read.binary) {
        sink.onBinary(path);
        continue;
      }
      const lines =
        query.mode === 'content' ? linesOf(text, found.slice(0, query.limit + 1), query.context) : [];
      if (sink.onFile({ path, matches: found.length, lines }) === 'stop') return { kind: 'stopped' };
    }
    return { kind: 'complete', problems: undefined };
  } catch (error) {
    if (deadline.aborted && !opts.signal.aborted) return { kind: 'timed-out' };
    if (codeOf(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      return { kind: 'bad-pattern', message: 'it takes too long to match: make it simpler' };
    }
    throw error;
  }
}

async function* candidates(
  root: SearchRoot,
  glob: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  if (root.kind === 'file') {
    yield basename(root.real);
    return;
  }
  const wanted = fileFilter(glob);
  for await (const group of walk(root.real, { signal })) {
    for (const entry of group) {
      if (entry.kind === 'file' && wanted(entry.path)) yield entry.path;
    }
  }
}

function fileFilter(glob: string | undefined): (path: string) => boolean {
  if (glob === undefined) return () => true;
  const excluding = glob.startsWith('!');
  const pattern = excluding ? glob.slice(1) : glob;
  const test = compileGlob(pattern.includes('/') ? pattern : `**/${pattern}`, {
    caseSensitive: true,
    braces: true,
    brackets: 'class',
  });
  return (path) => test(path) !== excluding;
}

function compile(query: GrepQuery): RegExp | string {
  const flags = query.caseSensitive ? '' : 'i';
  try {
    return new RegExp(query.pattern, `u${flags}`);
  } catch {
    // The Unicode mode is strict about escapes that other engines take.
  }
  try {
    return new RegExp(query.pattern, flags);
  } catch (error) {
    return messageOf(error);
  }
}

/** Finds matching lines, in a context of its own only because a script there can be interrupted. */
class LineSearch {
  private readonly context = createContext({ search: () => this.search() });
  private readonly script = new Script('search()');
  private text = '';
  private found: number[] = [];

  constructor(
    private readonly expression: RegExp,
    private readonly most: number,
  ) {}

  /** Their indices. */
  linesIn(text: string): readonly number[] {
    this.text = text;
    this.found = [];
    this.script.runInContext(this.context, { timeout: MOST_MILLISECONDS_PER_FILE });
    return this.found;
  }

  private search(): void {
    for (const [index, line] of splitLines(this.text).entries()) {
      if (this.expression.test(line) && this.found.push(index) >= this.most) return;
    }
  }
}

function linesOf(text: string, matches: readonly number[], context: number): readonly GrepLine[] {
  const all = splitLines(text);
  const hits = new Set(matches);
  const wanted = new Set<number>();
  for (const hit of matches) {
    for (let index = hit - context; index <= hit + context; index += 1) {
      if (index >= 0 && index < all.length) wanted.add(index);
    }
  }
  return [...wanted]
    .sort((one, other) => one - other)
    .map((index) => ({ number: index + 1, text: shorten(all[index] ?? ''), match: hits.has(index) }));
}

function splitLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

interface Read {
  readonly text: string;
  /** Its text is its bytes, and no line of it can be shown. */
  readonly binary: boolean;
}

/** Null for what a search leaves out: huge, not readable, or no longer where the walk saw it. */
function readText(path: string): Read | null {
  let opened: OpenedDescriptor;
  try {
    opened = openDescriptor({ real: path, exists: true, display: path });
  } catch {
    return null;
  }
  try {
    if (opened.stat.size > MOST_FILE_BYTES) return null;
    const bytes = readFileSync(opened.descriptor);
    const format = detectFormat(bytes, true);
    // Without a mark, zero bytes mean binary to ripgrep whatever they would decode to.
    if (format === null || (format.bom.length === 0 && bytes.includes(0))) {
      // Like ripgrep, to which a zero byte there is the end of a line.
      return { text: bytes.toString('latin1').replaceAll('\0', '\n'), binary: true };
    }
    return { text: decode(bytes, format), binary: false };
  } catch {
    return null;
  } finally {
    closeSync(opened.descriptor);
  }
}
