import { join } from 'node:path';
import { WrongStackError, codeOf, type Context, type ToolOptions } from '@wrongstack/contracts';
import { readTextFile } from '../fs/text-file.js';
import type { Location } from '../paths/locate.js';
import { compileGlob } from '../search/glob-pattern.js';
import { listFiles } from '../search/list-files.js';
import type { LocateRipgrep } from '../search/ripgrep.js';
import { searchRoot, shownPath, type SearchRoot } from '../search/search-root.js';
import { isCredentialPath } from '../search/skipped-names.js';

export interface Targets {
  readonly locations: readonly Location[];
  /** Real paths of those that were named one by one: passing one by in silence would answer for it. */
  readonly named: ReadonlySet<string>;
  /** A folder was named: what it holds was not claimed file by file, so nothing of it may be written. */
  readonly searched: boolean;
}

/** More than a replacement can sensibly be looked over. */
const MOST_LISTED = 50_000;

/** The files at the paths, and those below them that match `glob`. */
export async function replaceTargets(
  request: { readonly paths: readonly string[]; readonly glob: string | undefined },
  ctx: Context,
  opts: ToolOptions,
  ripgrep: LocateRipgrep,
): Promise<Targets> {
  const locations = new Map<string, Location>();
  const named = new Set<string>();
  let searched = false;
  for (const path of request.paths) {
    const root = await searchRoot(ctx, opts, path);
    const found =
      root.kind === 'file'
        ? [{ real: root.real, exists: true, display: root.spelled }]
        : await filesBelow(root, request.glob, ctx, opts, ripgrep);
    if (root.kind === 'file') named.add(root.real);
    searched ||= root.kind === 'folder';
    for (const location of found) locations.set(location.real, location);
  }
  return { locations: [...locations.values()], named, searched };
}

async function filesBelow(
  root: SearchRoot,
  glob: string | undefined,
  ctx: Context,
  opts: ToolOptions,
  ripgrep: LocateRipgrep,
): Promise<readonly Location[]> {
  const matches =
    glob === undefined
      ? () => true
      : compileGlob(glob.includes('/') ? glob : `**/${glob}`, {
          caseSensitive: true,
          braces: true,
          brackets: 'either',
        });
  const locations: Location[] = [];
  const end = await listFiles({
    root: root.real,
    opts,
    locate: ripgrep,
    onFile: (path) => {
      if (!matches(path) || isCredentialPath(path)) return 'more';
      locations.push({ real: join(root.real, path), exists: true, display: shownPath(ctx, root, path) });
      return locations.length > MOST_LISTED ? 'stop' : 'more';
    },
  });
  if (end !== 'complete') {
    throw new WrongStackError(
      'replace.too_many',
      `${root.spelled} holds too many files to look through: name a smaller folder or a glob; nothing was changed`,
    );
  }
  return locations;
}

export type TargetText =
  | { readonly kind: 'text'; readonly text: string }
  /** Nothing that text could be replaced in: binary, or gone meanwhile. */
  | { readonly kind: 'no text' }
  /** It may hold what is looked for, and nobody could look. */
  | { readonly kind: 'unreadable' };

/** The text of a file; what a search below a folder has to pass by is no error. */
export async function targetText(location: Location, { named }: Targets): Promise<TargetText> {
  try {
    return { kind: 'text', text: (await readTextFile(location)).text };
  } catch (error) {
    if (named.has(location.real)) throw error;
    switch (codeOf(error)) {
      case 'fs.binary':
      case 'fs.not_found':
      case 'fs.not_a_file':
        return { kind: 'no text' };
      case 'fs.too_large':
      case 'fs.denied':
        return { kind: 'unreadable' };
      default:
        throw error;
    }
  }
}
