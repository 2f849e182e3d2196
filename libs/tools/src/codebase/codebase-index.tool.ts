import { lstat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import {
  WrongStackError,
  type Context,
  type RichToolOutput,
  type Tool,
  type ToolOptions,
  type ToolStreamEvent,
} from '@wrongstack/contracts';
import { displayPath, locate, type Location } from '../paths/locate.js';
import { notFound } from '../paths/open-file.js';
import { isInside } from '../paths/resolve-path.js';
import { readTextFile } from '../fs/text-file.js';
import { filledText, optionalInteger, rawInput, shown } from '../read-input.js';
import { ripgrepPath, type LocateRipgrep } from '../search/ripgrep.js';
import { IndexFile, indexFolder } from './index-file.js';
import { matchingLines } from './matching-lines.js';
import { findSymbols, rankFiles, type QueryOptions } from './query-index.js';
import { MOST_FILE_BYTES, updateIndex, type IndexUpdate } from './update-index.js';
import { realRoot } from '../paths/real-root.js';
import { titledCards } from '../cards.js';

export interface CodebaseIndexInput {
  /** Words to find files by. */
  readonly query?: string;
  /** Name of a declaration, or part of it. */
  readonly symbol?: string;
  /** Only below this folder. */
  readonly path?: string;
  readonly limit?: number;
}

type IndexEvents = AsyncGenerator<ToolStreamEvent<RichToolOutput>, void, undefined>;

const DEFAULT_LIMIT = 20;
const MOST = 200;
const LINES_OF_A_FILE = 2;

/**
 * The index belongs to the whole project and is brought up to date by every call: what changed since the last one is
 * read, the rest is not. Its file in the data folder is the tool's own, and no claim.
 */
export function createCodebaseIndexTool(
  options: { readonly locate?: LocateRipgrep } = {},
): Tool<CodebaseIndexInput, RichToolOutput> {
  const start = (input: CodebaseIndexInput, ctx: Context, opts: ToolOptions): IndexEvents =>
    run(input, ctx, opts, options.locate ?? ripgrepPath);
  return {
    name: 'codebase-index',
    description:
      'Find code by an index of the project: files by words (query), declarations by name (symbol). Updates itself.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1 },
        symbol: { type: 'string', minLength: 1 },
        path: { type: 'string', minLength: 1 },
        limit: { type: 'integer', minimum: 1, maximum: MOST },
      },
      additionalProperties: false,
    },
    permission: 'auto',
    mutating: false,
    riskTier: 'standard',
    capabilities: ['fs.read', 'fs.write.outside-project'],
    category: 'Search',
    idempotent: true,
    timeoutMs: 180_000,
    maxOutputBytes: 24_000,
    estimatedDurationMs: 2_000,
    execute: async (input, ctx, opts) => {
      for await (const event of start(input, ctx, opts)) if (event.type === 'final') return event.output;
      throw new WrongStackError('internal.no_final', 'codebase-index ended without a result');
    },
    executeStream: start,
    // Wherever the answer is looked for, the whole project is read.
    describeCall: (input, ctx) => {
      const path = shown(input, 'path');
      return {
        paths: [ctx.projectRoot, ...(path === '' ? [] : [path])].map((name) => ({
          path: name,
          access: 'read',
          recursive: true,
        })),
        command: null,
        cwd: ctx.cwd,
        urls: [],
      };
    },
    ...titledCards('search', title),
  };
}

function title(input: unknown): string {
  const words = [shown(input, 'symbol'), shown(input, 'query')].filter((word) => word !== '');
  const path = shown(input, 'path');
  return `${words.length === 0 ? 'index' : words.join(' · ')}${path === '' ? '' : ` in ${path}`}`;
}

async function* run(
  input: CodebaseIndexInput,
  ctx: Context,
  opts: ToolOptions,
  ripgrep: LocateRipgrep,
): IndexEvents {
  const raw = rawInput(input);
  const query = raw['query'] === undefined ? undefined : filledText(raw, 'query');
  const symbol = raw['symbol'] === undefined ? undefined : filledText(raw, 'symbol');
  const limit = optionalInteger(raw, 'limit', { min: 1, max: MOST, fallback: DEFAULT_LIMIT });
  const path = raw['path'] === undefined ? undefined : filledText(raw, 'path');
  opts.signal.throwIfAborted();
  const root = await realRoot(ctx.projectRoot);
  const prefix = path === undefined ? '' : await prefixOf(path, root, ctx, opts);
  const updates = updateIndex(root, ctx.dataDir, ripgrep, opts);
  let next = await updates.next();
  for (; next.done !== true; next = await updates.next()) yield { type: 'metric', data: { ...next.value } };
  const update = next.value;
  const index = await IndexFile.open(indexFolder(ctx.dataDir, root));
  if (index === null)
    throw new WrongStackError('index.missing', 'the index disappeared while it was used: call again');
  try {
    const search: Search = { index, root, ctx, options: { limit, prefix, signal: opts.signal } };
    const symbols = symbol === undefined ? [] : await symbolLines(symbol, search);
    const files = query === undefined ? [] : await fileLines(query, search);
    const lines = [...symbols, ...files, `[${updateText(update)}]`];
    const meta = { ...update, symbols: symbols.length, hits: files.length };
    yield { type: 'final', output: { content: [{ type: 'text', text: lines.join('\n') }], meta } };
  } finally {
    await index.close();
  }
}

async function prefixOf(path: string, root: string, ctx: Context, opts: ToolOptions): Promise<string> {
  const location = await locate(ctx, opts, path, 'read');
  if (!location.exists) throw notFound(location.display);
  if (!isInside(root, location.real)) {
    throw new WrongStackError(
      'path.outside',
      `${path} is outside the project: the index holds the project's files only`,
    );
  }
  return relative(root, location.real).split(sep).join('/');
}

interface Search {
  readonly index: IndexFile;
  readonly root: string;
  readonly ctx: Context;
  readonly options: QueryOptions;
}

async function symbolLines(
  symbol: string,
  { index, root, ctx, options }: Search,
): Promise<readonly string[]> {
  const { hits, total } = await findSymbols(index, symbol, options);
  if (total === 0) return [`[no declaration is named like ${symbol}]`];
  const lines = hits.map(
    ({ path, line, kind, name }) => `${displayPath(ctx, join(root, path))}:${line} ${kind} ${name}`,
  );
  return total > hits.length ? [...lines, `[${total - hits.length} more declarations: raise limit]`] : lines;
}

async function fileLines(query: string, { index, root, ctx, options }: Search): Promise<readonly string[]> {
  const { hits, total, words } = await rankFiles(index, query, options);
  if (total === 0) return ['[no file holds these words]'];
  const lines: string[] = [];
  for (const { path } of hits) {
    options.signal.throwIfAborted();
    const location = { real: join(root, path), exists: true, display: displayPath(ctx, join(root, path)) };
    lines.push(location.display, ...(await linesIn(location, words)));
  }
  return total > hits.length
    ? [...lines, `[${total - hits.length} more files: add words or raise limit]`]
    : lines;
}

/** As the file is now; one that went away meanwhile only is a name. */
async function linesIn(location: Location, words: readonly string[]): Promise<readonly string[]> {
  const size = await lstat(location.real).then(
    (entry) => entry.size,
    () => Number.POSITIVE_INFINITY,
  );
  // A larger one was found by its name alone.
  if (size > MOST_FILE_BYTES) return [];
  const text = await readTextFile(location).then(
    (file) => file.text,
    () => '',
  );
  return matchingLines(text, words, LINES_OF_A_FILE).map(({ line, text: found }) => `  ${line}: ${found}`);
}

function updateText({ files, updated, removed, unreadable, cut }: IndexUpdate): string {
  const parts = [`${files} files indexed`];
  if (updated > 0) parts.push(`${updated} read anew`);
  if (removed > 0) parts.push(`${removed} gone`);
  if (unreadable > 0) parts.push(`${unreadable} could not be read`);
  if (cut) parts.push('more files than an index takes were left out');
  return parts.join(', ');
}
