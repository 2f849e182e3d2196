import { join, relative, sep } from 'node:path';
import { realpath } from 'node:fs/promises';
import { WrongStackError, codeOf, type Context, type ToolOptions } from '@wrongstack/contracts';
import { readTextFile } from '../fs/text-file.js';
import type { Location } from '../paths/locate.js';
import { isInside } from '../paths/resolve-path.js';
import { compileGlob } from '../search/glob-pattern.js';
import { listFiles } from '../search/list-files.js';
import type { LocateRipgrep } from '../search/ripgrep.js';
import { searchRoot, shownPath, type SearchRoot } from '../search/search-root.js';
import { isCredentialPath } from '../search/skipped-names.js';
import { isObeyedPath } from './obeyed-names.js';

export interface Targets {
  readonly locations: readonly Location[];
  /** Left out because of their names, where that may be said. */
  readonly obeyed: readonly string[];
}

/** More than a replacement can sensibly be looked over. */
const MOST_LISTED = 50_000;

/** The file at `path`, or the files below it that match `glob`. */
export async function replaceTargets(
  request: { readonly path: string; readonly glob: string | undefined },
  ctx: Context,
  opts: ToolOptions,
  ripgrep: LocateRipgrep,
): Promise<Targets> {
  const root = await searchRoot(ctx, opts, request.path);
  if (root.kind === 'file') {
    return { locations: [{ real: root.real, exists: true, display: root.spelled }], obeyed: [] };
  }
  return filesBelow(root, request.glob, ctx, opts, ripgrep);
}

async function filesBelow(
  root: SearchRoot,
  glob: string | undefined,
  ctx: Context,
  opts: ToolOptions,
  ripgrep: LocateRipgrep,
): Promise<Targets> {
  const matches =
    glob === undefined
      ? () => true
      : compileGlob(glob.includes('/') ? glob : `**/${glob}`, {
          caseSensitive: true,
          braces: true,
          brackets: 'either',
        });
  const project = await realpath(ctx.projectRoot);
  const locations: Location[] = [];
  const obeyed: string[] = [];
  const end = await listFiles({
    root: root.real,
    opts,
    locate: ripgrep,
    onFile: (path) => {
      if (!matches(path)) return 'more';
      const real = join(root.real, path);
      const named = isInside(project, real) ? relative(project, real).split(sep).join('/') : real;
      const display = shownPath(ctx, root, path);
      if (isCredentialPath(named)) return 'more';
      if (isObeyedPath(named)) obeyed.push(display);
      else locations.push({ real, exists: true, display });
      return locations.length > MOST_LISTED ? 'stop' : 'more';
    },
  });
  if (end !== 'complete') {
    throw new WrongStackError(
      'replace.too_many',
      `${root.spelled} holds too many files to look through: name a smaller folder or a glob; nothing was changed`,
    );
  }
  return { locations, obeyed };
}

/** The text of a file that can be changed as text; undefined for the others, which a replacement passes by. */
export async function textOf(location: Location): Promise<string | undefined> {
  try {
    return (await readTextFile(location)).text;
  } catch (error) {
    const passedBy = ['fs.binary', 'fs.too_large', 'fs.denied', 'fs.not_found', 'fs.not_a_file'];
    if (passedBy.includes(codeOf(error))) return undefined;
    throw error;
  }
}
