import { basename, dirname } from 'node:path';
import type { ToolOptions } from '@wrongstack/contracts';
import {
  MOST_FILE_BYTES,
  MOST_LINES_PER_FILE,
  type GrepEnd,
  type GrepLine,
  type GrepQuery,
  type GrepSink,
} from './grep-query.js';
import { commonArgs, runRipgrep } from './ripgrep.js';
import { SEARCH_DEADLINE_MS, inFolder, type SearchRoot } from './search-root.js';

/** Search with ripgrep. The pattern is behind `-e` and the place behind `--`: neither is ever read as an option. */
export async function grepWithRipgrep(
  binary: string,
  root: SearchRoot,
  query: GrepQuery,
  sink: GrepSink,
  opts: ToolOptions,
): Promise<GrepEnd> {
  const folder = root.kind === 'folder' ? root.real : dirname(root.real);
  const reader = new EventReader(sink);
  const args = [...commonArgs(folder), ...queryArgs(root, query)];
  const outcome = await inFolder(folder, opts, (cwd) =>
    runRipgrep({
      binary,
      args,
      cwd,
      separator: '\n',
      onRecord: (record) => reader.take(record),
      signal: opts.signal,
      timeoutMs: SEARCH_DEADLINE_MS,
      ...(opts.sandbox === undefined ? {} : { sandbox: opts.sandbox }),
    }),
  );
  if (outcome.kind !== 'done') return outcome;
  // A pattern that does not compile ends ripgrep before it searches, and then there is no summary.
  if (!reader.summary) return { kind: 'bad-pattern', message: firstLines(outcome.stderr) };
  const problems = outcome.exitCode === 2 ? firstLines(outcome.stderr) : undefined;
  return { kind: 'complete', problems };
}

function queryArgs(root: SearchRoot, query: GrepQuery): readonly string[] {
  return [
    '--json',
    query.caseSensitive ? '--case-sensitive' : '--ignore-case',
    ...['--context', String(query.context)],
    ...['--max-filesize', String(MOST_FILE_BYTES)],
    ...['--max-count', String(query.firstOnly ? 1 : MOST_LINES_PER_FILE)],
    ...(query.glob === undefined ? [] : ['--glob', query.glob]),
    ...['-e', query.pattern, '--'],
    root.kind === 'folder' ? '.' : `./${basename(root.real)}`,
  ];
}

/** Puts the events of `--json` together, file by file. */
class EventReader {
  summary = false;
  private lines: GrepLine[] = [];

  constructor(private readonly sink: GrepSink) {}

  take(record: Buffer): 'more' | 'stop' {
    const event = parse(record);
    const data = member(event, 'data');
    switch (member(event, 'type')) {
      case 'begin':
        this.lines = [];
        return 'more';
      case 'match':
        this.lines.push(lineOf(data, true));
        return 'more';
      case 'context':
        this.lines.push(lineOf(data, false));
        return 'more';
      case 'end':
        return this.endFile(data);
      case 'summary':
        this.summary = true;
        return 'more';
      default:
        return 'more';
    }
  }

  private endFile(data: unknown): 'more' | 'stop' {
    const { lines } = this;
    this.lines = [];
    // Set where a zero byte was found: the file is binary, and what came before it says nothing.
    if (typeof member(data, 'binary_offset') === 'number') return 'more';
    return this.sink.onFile({ path: textOrBytes(member(data, 'path')).replace(/^\.\//, ''), lines });
  }
}

function lineOf(data: unknown, match: boolean): GrepLine {
  const number = member(data, 'line_number');
  return {
    number: typeof number === 'number' ? number : 0,
    text: textOrBytes(member(data, 'lines')).replace(/\r?\n$/, ''),
    match,
  };
}

/** `{ text }`, or `{ bytes }` in base64 for what is no UTF-8. */
function textOrBytes(value: unknown): string {
  const text = member(value, 'text');
  if (typeof text === 'string') return text;
  const bytes = member(value, 'bytes');
  return typeof bytes === 'string' ? Buffer.from(bytes, 'base64').toString('latin1') : '';
}

function parse(record: Buffer): unknown {
  try {
    return JSON.parse(record.toString('utf8'));
  } catch {
    return undefined;
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}

function firstLines(stderr: string): string {
  return stderr
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, 6)
    .join(' ')
    .slice(0, 500);
}
