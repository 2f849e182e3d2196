import {
  WrongStackError,
  codeOf,
  messageOf,
  type Context,
  type PathClaim,
  type RichToolOutput,
  type Tool,
  type ToolOptions,
} from '@wrongstack/contracts';
import { applyEdit } from '../fs/apply-edit.js';
import { locate, type Location } from '../paths/locate.js';
import { shown } from '../read-input.js';
import { ripgrepPath, type LocateRipgrep } from '../search/ripgrep.js';
import { FileOverlay, withPathLocks } from './file-overlay.js';
import { RegexReplacer } from './regex-worker.js';
import { replaceLiteral } from './replace-in-text.js';
import { readReplaceInput, type ReplaceInput, type ReplaceRequest } from './replace-request.js';
import { replaceTargets, targetText, type Targets } from './replace-targets.js';
import { describeAll, totalCounts, writeOverlay } from './write-overlay.js';
import { changeCard } from '../cards.js';

const REGEX_TIMEOUT_MS = 5_000;
const MOST_CHANGED_FILES = 500;

type BySearch = ReplaceRequest & { readonly by: 'search' };
type ByEdits = ReplaceRequest & { readonly by: 'edits' };
type Replacer = (source: string) => Promise<{ readonly text: string; readonly count: number }>;

export function createReplaceTool(
  options: { readonly locate?: LocateRipgrep; readonly regexTimeoutMs?: number } = {},
): Tool<ReplaceInput, RichToolOutput> {
  return {
    name: 'replace',
    description:
      'Replace search by replacement everywhere in the named files, or apply several edits to one. A folder is only searched: then name its files.',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: ['string', 'array'], items: { type: 'string' }, minLength: 1, minItems: 1 },
        search: { type: 'string', minLength: 1 },
        replacement: { type: 'string' },
        regex: { type: 'boolean', description: 'search is a JavaScript regex; $1 works' },
        case_sensitive: { type: 'boolean' },
        glob: { type: 'string', minLength: 1, description: 'Of a folder only these files' },
        dry_run: { type: 'boolean' },
        edits: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            properties: {
              old_string: { type: 'string', minLength: 1 },
              new_string: { type: 'string' },
              replace_all: { type: 'boolean' },
            },
            required: ['old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
      required: ['path'],
      additionalProperties: false,
    },
    permission: 'confirm',
    mutating: true,
    riskTier: 'standard',
    capabilities: ['fs.write'],
    category: 'Filesystem',
    timeoutMs: 60_000,
    maxOutputBytes: 8_000,
    execute: async (input, ctx, opts) => {
      const request = readReplaceInput(input);
      opts.signal.throwIfAborted();
      return request.by === 'edits'
        ? applyEdits(request, ctx, opts)
        : replaceAll(request, ctx, opts, options);
    },
    // Only files that are claimed by name are written: what a folder holds cannot be told without looking, and a rule
    // about one of its files would not hold for a claim of the folder.
    describeCall: (input, ctx) => ({
      paths: shownPaths(input).flatMap((path): PathClaim[] => [
        { path, access: 'read', recursive: true },
        ...(isDryRun(input) ? [] : [{ path, access: 'write' } as const]),
      ]),
      command: null,
      cwd: ctx.cwd,
      urls: [],
    }),
    presentCall: (input) => {
      const edits = editsOf(input) ?? [[shown(input, 'search'), shown(input, 'replacement')] as const];
      const paths = shownPaths(input);
      return {
        card: 'diff',
        title: isDryRun(input) ? `${title(input)} · dry run` : title(input),
        diffs: paths.flatMap((path) => edits.map(([oldText, newText]) => ({ path, oldText, newText }))),
        locations: paths.map((path) => ({ path })),
      };
    },
    presentResult: (input, result) =>
      changeCard(title(input), result, (change) => `${title(input)} · ${totalCounts(change)}`),
  };
}

function shownPaths(input: unknown): readonly string[] {
  if (typeof input !== 'object' || input === null || !('path' in input)) return [];
  const paths: readonly unknown[] = Array.isArray(input.path) ? input.path : [input.path];
  return paths.filter((path) => typeof path === 'string');
}

function title(input: unknown): string {
  const [first = 'replace', ...rest] = shownPaths(input);
  return rest.length === 0 ? first : `${first} and ${rest.length} more`;
}

function isDryRun(input: unknown): boolean {
  return typeof input === 'object' && input !== null && 'dry_run' in input && input.dry_run === true;
}

function editsOf(input: unknown): readonly (readonly [string, string])[] | undefined {
  if (typeof input !== 'object' || input === null || !('edits' in input) || !Array.isArray(input.edits))
    return undefined;
  return input.edits.map((edit: unknown) => [shown(edit, 'old_string'), shown(edit, 'new_string')] as const);
}

/** One edit after another: each sees what the ones before it made, and either all are applied or none. */
async function applyEdits(request: ByEdits, ctx: Context, opts: ToolOptions): Promise<RichToolOutput> {
  const [path = ''] = request.paths;
  const { real } = await locate(ctx, opts, path, 'write');
  return withPathLocks(ctx, [real], async () => {
    const overlay = new FileOverlay(ctx, opts);
    const file = await overlay.existing(path);
    const text = request.edits.reduce((before, edit, index) => {
      try {
        return applyEdit(before, edit, file.location.display).text;
      } catch (error) {
        throw new WrongStackError(
          codeOf(error),
          `edit ${index + 1}: ${messageOf(error)}; nothing was changed`,
          {
            cause: error,
            path: `/edits/${index}`,
          },
        );
      }
    }, file.draft.text);
    overlay.set(file, { ...file.draft, text });
    return finish(overlay, request, ctx, opts, []);
  });
}

async function replaceAll(
  request: BySearch,
  ctx: Context,
  opts: ToolOptions,
  options: { readonly locate?: LocateRipgrep; readonly regexTimeoutMs?: number },
): Promise<RichToolOutput> {
  const replacer = request.regex
    ? new RegexReplacer(
        { pattern: request.search, replacement: request.replacement, caseSensitive: request.caseSensitive },
        options.regexTimeoutMs ?? REGEX_TIMEOUT_MS,
        opts.signal,
      )
    : undefined;
  const replace: Replacer = async (source) => replacer?.replace(source) ?? replaceLiteral(source, request);
  try {
    // A file is asked for as what the call may do with it: a preview does not need to be allowed to write.
    for (const path of request.paths) await locate(ctx, opts, path, request.dryRun ? 'read' : 'write');
    const targets = await replaceTargets(request, ctx, opts, options.locate ?? ripgrepPath);
    const { hits, unreadable } = await matching(targets, replace, opts);
    const bound = { ...request, dryRun: request.dryRun || targets.searched };
    return await withPathLocks(
      ctx,
      hits.map(({ real }) => real),
      () =>
        draftAll(hits, { unreadable, hint: targets.searched && !request.dryRun }, replace, bound, ctx, opts),
    );
  } finally {
    await replacer?.dispose();
  }
}

async function matching(
  targets: Targets,
  replace: Replacer,
  opts: ToolOptions,
): Promise<{ readonly hits: readonly Location[]; readonly unreadable: number }> {
  const hits: Location[] = [];
  let unreadable = 0;
  for (const location of targets.locations) {
    opts.signal.throwIfAborted();
    const target = await targetText(location, targets);
    if (target.kind === 'unreadable') unreadable += 1;
    if (target.kind !== 'text' || (await replace(target.text)).count === 0) continue;
    hits.push(location);
    if (hits.length > MOST_CHANGED_FILES) {
      throw new WrongStackError(
        'replace.too_many',
        `more than ${MOST_CHANGED_FILES} files match: name a smaller folder or a glob; nothing was changed`,
      );
    }
  }
  return { hits, unreadable };
}

async function draftAll(
  hits: readonly Location[],
  { unreadable, hint }: { readonly unreadable: number; readonly hint: boolean },
  replace: Replacer,
  request: BySearch,
  ctx: Context,
  opts: ToolOptions,
): Promise<RichToolOutput> {
  const overlay = new FileOverlay(ctx, opts);
  let places = 0;
  for (const location of hits) {
    const file = await overlay.openAt(location);
    if (file.draft === null) continue;
    const { text, count } = await replace(file.draft.text);
    if (count === 0) continue;
    places += count;
    overlay.set(file, { ...file.draft, text });
  }
  const notes = [
    places === 0
      ? 'nothing matches: look for the text with grep'
      : `${places} place${places === 1 ? '' : 's'}`,
  ];
  if (unreadable > 0)
    notes.push(`${unreadable} file${unreadable === 1 ? '' : 's'} could not be read and may hold it too`);
  if (places === 0) return { content: [{ type: 'text', text: `[${notes.join('; ')}]` }] };
  if (hint) notes.push('call again with these files as path to change them');
  return finish(overlay, request, ctx, opts, notes);
}

async function finish(
  overlay: FileOverlay,
  request: ReplaceRequest,
  ctx: Context,
  opts: ToolOptions,
  notes: readonly string[],
): Promise<RichToolOutput> {
  const changed = overlay.changed();
  if (changed.length === 0)
    throw new WrongStackError('edit.no_change', 'the replacement leaves every file as it is');
  if (request.dryRun) {
    const { text } = await describeAll(changed);
    return {
      content: [{ type: 'text', text: `${text}\n[${['nothing written', ...notes].join('; ')}]` }],
    };
  }
  const written = await writeOverlay(overlay, ctx, opts);
  if (notes.length === 0) return written;
  const [first] = written.content;
  const text = first?.type === 'text' ? first.text : '';
  return { ...written, content: [{ type: 'text', text: `${text}\n[${notes.join('; ')}]` }] };
}
