import {
  WrongStackError,
  type Context,
  type RichToolOutput,
  type Tool,
  type ToolOptions,
} from '@wrongstack/contracts';
import {
  badInput,
  filledText,
  optionalFlag,
  optionalInteger,
  optionalText,
  rawInput,
  shown,
} from '../read-input.js';
import { GrepOutput } from './grep-output.js';
import type { GrepEnd, GrepMode, GrepQuery, GrepSink } from './grep-query.js';
import { ripgrepPath, type LocateRipgrep } from './ripgrep.js';
import { SEARCH_TIMEOUT_MS, searchRoot, shownPath, type SearchRoot } from './search-root.js';
import { isCredentialPath } from './skipped-names.js';
import { titledCards } from '../cards.js';
import { pathClaims } from '../claims.js';

export interface GrepInput {
  readonly pattern: string;
  readonly path?: string;
  readonly glob?: string;
  readonly case_sensitive?: boolean;
  readonly context?: number;
  readonly mode?: GrepMode;
  readonly limit?: number;
}

const DEFAULT_LIMIT = 200;
const MODES: readonly GrepMode[] = ['content', 'files', 'count'];

export function createGrepTool(
  options: { readonly locate?: LocateRipgrep } = {},
): Tool<GrepInput, RichToolOutput> {
  const locate = options.locate ?? ripgrepPath;
  return {
    name: 'grep',
    description:
      'Search file contents by regular expression. Ignored files and node_modules are left out; .env and key files unless path names them.',
    inputSchema: {
      type: 'object',
      properties: {
        pattern: { type: 'string', minLength: 1 },
        path: { type: 'string', description: 'File or folder' },
        glob: { type: 'string', description: 'Only such files: *.ts' },
        case_sensitive: { type: 'boolean', description: 'Default true' },
        context: { type: 'integer', minimum: 0, maximum: 10 },
        mode: { type: 'string', enum: MODES },
        limit: { type: 'integer', minimum: 1, maximum: 2000 },
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
    execute: (input, ctx, opts) => execute(input, ctx, opts, locate),
    describeCall: (input, ctx) =>
      pathClaims([{ path: shown(input, 'path', '.'), access: 'read', recursive: true }], ctx),
    ...titledCards('search', title),
  };
}

function title(input: unknown): string {
  const where = shown(input, 'path') || shown(input, 'glob');
  return where === '' ? shown(input, 'pattern') : `${shown(input, 'pattern')} in ${where}`;
}

async function execute(
  input: GrepInput,
  ctx: Context,
  opts: ToolOptions,
  locate: LocateRipgrep,
): Promise<RichToolOutput> {
  const raw = rawInput(input);
  const mode = readMode(optionalText(raw, 'mode') ?? 'content');
  const limit = optionalInteger(raw, 'limit', { min: 1, max: 2000, fallback: DEFAULT_LIMIT });
  const query: GrepQuery = {
    mode,
    limit,
    pattern: withoutNul('pattern', filledText(raw, 'pattern')),
    caseSensitive: optionalFlag(raw, 'case_sensitive', true),
    context: mode === 'content' ? optionalInteger(raw, 'context', { min: 0, max: 10, fallback: 0 }) : 0,
    glob: raw['glob'] === undefined ? undefined : withoutNul('glob', filledText(raw, 'glob')),
  };
  const root = await searchRoot(ctx, opts, optionalText(raw, 'path') ?? '.');
  const output = new GrepOutput(mode, limit);
  const sink: GrepSink = {
    skips: (path) => root.kind === 'folder' && isCredentialPath(path),
    onFile: (file) => output.add(shownPath(ctx, root, file.path), file),
    onBinary: (path) => output.addBinary(shownPath(ctx, root, path)),
  };
  const end = await search(root, query, sink, opts, locate);
  return render(output, end, query, mode, limit);
}

async function search(
  root: SearchRoot,
  query: GrepQuery,
  sink: GrepSink,
  opts: ToolOptions,
  locate: LocateRipgrep,
): Promise<GrepEnd> {
  const binary = await locate();
  if (binary !== null) {
    const { grepWithRipgrep } = await import('./grep-ripgrep.js');
    const end = await grepWithRipgrep(binary, root, query, sink, opts);
    if (end.kind !== 'unavailable') return end;
  }
  const { grepByWalking } = await import('./grep-walking.js');
  return grepByWalking(root, query, sink, opts);
}

function render(
  output: GrepOutput,
  end: GrepEnd,
  query: GrepQuery,
  mode: GrepMode,
  limit: number,
): RichToolOutput {
  if (end.kind === 'bad-pattern') {
    throw new WrongStackError('grep.bad_pattern', `the pattern cannot be used: ${end.message}`, {
      path: '/pattern',
    });
  }
  const notes: string[] = [];
  if (output.files === 0) notes.push('no match');
  if (output.full)
    notes.push(
      `limit of ${limit} ${mode === 'content' ? 'matches' : 'files'} reached: narrow the search or raise limit`,
    );
  const binary = output.binaryNote();
  if (binary !== null) notes.push(binary);
  if (end.kind === 'timed-out')
    notes.push('the search took too long and was ended: name a smaller folder as path');
  if (end.kind === 'complete' && end.problems !== undefined)
    notes.push(`some files could not be searched: ${end.problems}`);
  const text = [...output.parts, ...notes.map((note) => `[${note}]`)].join('\n');
  return {
    content: [{ type: 'text', text }],
    meta: { matches: output.matches, files: output.files, complete: end.kind === 'complete' && !output.full },
  };
}

function readMode(mode: string): GrepMode {
  const known = MODES.find((name) => name === mode);
  if (known === undefined) throw badInput('mode', `must be one of ${MODES.join(', ')}`);
  return known;
}

function withoutNul(field: string, value: string): string {
  if (value.includes('\0')) throw badInput(field, 'must not contain NUL bytes');
  return value;
}
