import { basename, dirname } from 'node:path';
import type { ToolOptions } from '@wrongstack/contracts';
import { GrepEventReader } from './grep-events.js';
import {
  MOST_FILE_BYTES,
  mostMatches,
  type GrepEnd,
  type GrepFile,
  type GrepQuery,
  type GrepSink,
} from './grep-query.js';
import { commonArgs, runRipgrep, type RipgrepOutcome } from './ripgrep.js';
import { SEARCH_DEADLINE_MS, inFolder, type SearchRoot } from './search-root.js';

/** Where so many times the limit was found, a search in order comes to the limit soon. */
const TIMES_THE_LIMIT = 10;
const MOST_HELD_LINES = 20_000;

/**
 * Search with ripgrep. Results come in the order of their paths, and asking ripgrep for it costs it all but one of its
 * threads. So it searches in any order first, and what it found is sorted here; only where that is far more than can
 * be shown it is stopped, and searches in order up to the limit.
 */
export async function grepWithRipgrep(
  binary: string,
  root: SearchRoot,
  query: GrepQuery,
  sink: GrepSink,
  opts: ToolOptions,
): Promise<GrepEnd> {
  const begun = performance.now();
  const search: Search = { binary, root, query, sink, opts };
  if (root.kind === 'file') return run(search, 'in order', sink.onFile, SEARCH_DEADLINE_MS);
  const held = new HeldFiles(query);
  const end = await run(search, 'in any order', (file) => held.add(file), SEARCH_DEADLINE_MS);
  if (end.kind === 'stopped') {
    const left = SEARCH_DEADLINE_MS - (performance.now() - begun);
    return run(search, 'in order', sink.onFile, Math.max(left, 1));
  }
  if (end.kind !== 'complete' && end.kind !== 'timed-out') return end;
  return held.inOrder().some((file) => sink.onFile(file) === 'stop') ? { kind: 'stopped' } : end;
}

interface Search {
  readonly binary: string;
  readonly root: SearchRoot;
  readonly query: GrepQuery;
  readonly sink: GrepSink;
  readonly opts: ToolOptions;
}

async function run(
  { binary, root, query, sink, opts }: Search,
  order: 'in order' | 'in any order',
  onFile: GrepSink['onFile'],
  timeoutMs: number,
): Promise<GrepEnd> {
  const folder = root.kind === 'folder' ? root.real : dirname(root.real);
  const reader = new GrepEventReader({ query, skips: sink.skips, onFile, onBinary: sink.onBinary });
  const sort = order === 'in order' ? ['--sort', 'path'] : [];
  const args = [...commonArgs(folder), ...sort, ...queryArgs(root, query)];
  const outcome = await inFolder(folder, opts, (cwd) =>
    runRipgrep({
      binary,
      args,
      cwd,
      separator: '\n',
      onRecord: (record) => reader.take(record),
      signal: opts.signal,
      timeoutMs,
      ...(opts.sandbox === undefined ? {} : { sandbox: opts.sandbox }),
    }),
  );
  return endOf(outcome, reader.summary);
}

function endOf(outcome: RipgrepOutcome, summary: boolean): GrepEnd {
  if (outcome.kind !== 'done') return outcome;
  // A pattern that does not compile ends ripgrep before it searches, and then there is no summary.
  if (!summary) return { kind: 'bad-pattern', message: firstLines(outcome.stderr) };
  const problems = outcome.exitCode === 2 ? firstLines(outcome.stderr) : undefined;
  return { kind: 'complete', problems };
}

/** The pattern is behind `-e` and the place behind `--`: neither is ever read as an option. */
function queryArgs(root: SearchRoot, query: GrepQuery): readonly string[] {
  return [
    '--json',
    // Or a binary file that holds the text would be passed over without a word.
    '--binary',
    query.caseSensitive ? '--case-sensitive' : '--ignore-case',
    ...['--context', String(query.context)],
    ...['--max-filesize', String(MOST_FILE_BYTES)],
    ...['--max-count', String(mostMatches(query))],
    ...(query.glob === undefined ? [] : ['--glob', query.glob]),
    ...['-e', query.pattern, '--'],
    root.kind === 'folder' ? '.' : `./${basename(root.real)}`,
  ];
}

/** What a search in any order found, as long as it is not far too much. */
class HeldFiles {
  private readonly files: GrepFile[] = [];
  private hits = 0;
  private lines = 0;

  constructor(private readonly query: GrepQuery) {}

  add(file: GrepFile): 'more' | 'stop' {
    this.files.push(file);
    this.hits += this.query.mode === 'content' ? file.matches : 1;
    this.lines += file.lines.length;
    const tooMany = this.hits > this.query.limit * TIMES_THE_LIMIT || this.lines > MOST_HELD_LINES;
    return tooMany ? 'stop' : 'more';
  }

  /** As a walk meets them: name by name, each by its bytes. */
  inOrder(): readonly GrepFile[] {
    return this.files
      .map((file) => ({ file, key: Buffer.from(file.path.replaceAll('/', '\0')) }))
      .sort((one, other) => Buffer.compare(one.key, other.key))
      .map(({ file }) => file);
  }
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
