import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  WrongStackError,
  type Context,
  type RichToolOutput,
  type Tool,
  type ToolOptions,
} from '@wrongstack/contracts';
import { filledText, optionalFlag, optionalInteger, optionalText, rawInput, shown } from '../read-input.js';
import { compileGlobFolder } from './glob-pattern.js';
import { hasMagic } from './glob-segment.js';
import { listByWalking } from './list-files.js';
import { lineName } from './line-name.js';
import { SEARCH_TIMEOUT_MS, searchRoot, shownPath } from './search-root.js';
import { titledCards } from '../cards.js';
import { pathClaims } from '../claims.js';

export interface GlobInput {
  readonly pattern: string;
  readonly path?: string;
  readonly case_sensitive?: boolean;
  readonly limit?: number;
}

const DEFAULT_LIMIT = 200;
const MOST = 5000;

/**
 * Walks in this process, unlike the other searches: it has looked at 50,000 files before a child process has listed half
 * of them.
 */
export function createGlobTool(): Tool<GlobInput, RichToolOutput> {
  return {
    name: 'glob',
    description: 'Find files by name: **/*.ts, src/{a,b}/*.js. Ignored files and node_modules are left out.',
    inputSchema: {
      type: 'object',
      properties: {
        pattern: { type: 'string', minLength: 1 },
        path: { type: 'string', description: 'Folder to search; default: working folder' },
        case_sensitive: { type: 'boolean' },
        limit: { type: 'integer', minimum: 1, maximum: MOST },
      },
      required: ['pattern'],
      additionalProperties: false,
    },
    permission: 'auto',
    mutating: false,
    riskTier: 'safe',
    capabilities: ['fs.read'],
    category: 'Filesystem',
    idempotent: true,
    timeoutMs: SEARCH_TIMEOUT_MS,
    maxOutputBytes: 64_000,
    estimatedDurationMs: 300,
    execute: (input, ctx, opts) => execute(input, ctx, opts),
    describeCall: (input, ctx) => pathClaims([{ path: shown(input, 'path', '.'), access: 'read' }], ctx),
    ...titledCards('search', title),
  };
}

function title(input: unknown): string {
  const path = shown(input, 'path');
  return path === '' ? shown(input, 'pattern') : `${shown(input, 'pattern')} in ${path}`;
}

async function execute(input: GlobInput, ctx: Context, opts: ToolOptions): Promise<RichToolOutput> {
  const raw = rawInput(input);
  const pattern = filledText(raw, 'pattern');
  const caseSensitive = optionalFlag(raw, 'case_sensitive', false);
  const limit = optionalInteger(raw, 'limit', { min: 1, max: MOST, fallback: DEFAULT_LIMIT });
  const segments = segmentsOf(pattern);
  const root = await searchRoot(ctx, opts, optionalText(raw, 'path') ?? '.');
  if (root.kind === 'file') {
    throw new WrongStackError('fs.not_a_folder', `${root.spelled} is a file: path must be a folder`);
  }
  const base = await staticBase(root.real, segments, opts.signal);
  const glob = compileGlobFolder(segments.slice(base.length).join('/'), {
    caseSensitive,
    braces: true,
    brackets: 'either',
  });
  const found: string[] = [];
  const end = await listByWalking(
    {
      root: join(root.real, ...base),
      onFile: (path) => {
        found.push(shownPath(ctx, root, [...base, path].join('/')));
        return found.length > limit ? 'stop' : 'more';
      },
      opts,
    },
    glob,
  );
  return render(found, limit, end === 'timed-out', segments);
}

/** The pattern as segments. It says what to find below the folder, never where else to look. */
function segmentsOf(pattern: string): readonly string[] {
  if (pattern.includes('\0')) throw new WrongStackError('glob.invalid', 'the pattern contains a NUL byte');
  if (pattern.startsWith('/')) {
    throw new WrongStackError('glob.invalid', `pattern ${pattern} is absolute: give the folder as path`);
  }
  const segments = pattern.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..')) {
    throw new WrongStackError(
      'glob.invalid',
      `pattern ${pattern} leaves its folder: give the folder as path`,
    );
  }
  return pattern.endsWith('/') ? [...segments, '**'] : segments;
}

/**
 * Leading segments that are real folders by their own name: only they need searching, and a folder that searches skip is
 * found when it is named. Links end it, as they end a walk.
 */
async function staticBase(
  root: string,
  segments: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const base: string[] = [];
  for (const segment of segments.slice(0, -1)) {
    signal.throwIfAborted();
    if (hasMagic(segment) && !segment.startsWith('[')) break;
    const entry = await lstat(join(root, ...base, segment)).catch(() => null);
    if (entry?.isDirectory() !== true) break;
    base.push(segment);
  }
  return base;
}

function render(
  found: readonly string[],
  limit: number,
  timedOut: boolean,
  segments: readonly string[],
): RichToolOutput {
  const shownFiles = found.slice(0, limit);
  const notes: string[] = [];
  if (found.length === 0) {
    const hint =
      segments.length === 1 && segments[0] !== '**' ? `; **/${segments[0] ?? ''} searches below too` : '';
    notes.push(`no file matches${hint}`);
  }
  if (found.length > limit) notes.push(`more than ${limit} files match: narrow the pattern or raise limit`);
  if (timedOut) notes.push('the search took too long and was ended: name a smaller folder as path');
  const text = [...shownFiles.map(lineName), ...notes.map((note) => `[${note}]`)].join('\n');
  return {
    content: [{ type: 'text', text }],
    meta: { count: shownFiles.length, complete: found.length <= limit && !timedOut },
  };
}
