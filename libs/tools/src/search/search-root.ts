import { stat } from 'node:fs/promises';
import { WrongStackError, codeOf, type Context, type ToolOptions } from '@wrongstack/contracts';
import { displayPath, locate } from '../paths/locate.js';
import { notFound, refuseSpecial } from '../paths/open-file.js';
import { openFolder } from '../paths/open-folder.js';
import { join } from 'node:path';

/** Where a search starts: a folder, or one file. Real paths. */
export type SearchRoot =
  | { readonly kind: 'folder'; readonly real: string; readonly spelled: string }
  | { readonly kind: 'file'; readonly real: string; readonly spelled: string };

/** A search that takes longer returns what it has: a home folder or `/` must not hang a session. */
export const SEARCH_DEADLINE_MS = 20_000;
export const SEARCH_TIMEOUT_MS = 30_000;

export async function searchRoot(ctx: Context, opts: ToolOptions, path: string): Promise<SearchRoot> {
  const location = await locate(ctx, opts, path, 'read');
  if (!location.exists) throw notFound(location.display);
  const entry = await stat(location.real).catch((error: unknown) => {
    throw new WrongStackError('fs.failed', `${location.display} cannot be searched: ${codeOf(error)}`, {
      cause: error,
    });
  });
  const place = { real: location.real, spelled: location.display };
  if (entry.isDirectory()) return { kind: 'folder', ...place };
  refuseSpecial(location.display, entry);
  return { kind: 'file', ...place };
}

/** How a file found below a root is shown: relative to the working folder where it is inside it. */
export function shownPath(ctx: Context, root: SearchRoot, relative: string): string {
  if (root.kind === 'file') return root.spelled;
  if (root.spelled === '.') return relative;
  return displayPath(ctx, join(root.spelled.startsWith('/') ? '/' : ctx.cwd, root.spelled, relative));
}

/**
 * Run `work` in a folder that is held open: its argument is a working folder for a child process which stays this very
 * folder, also when its path becomes a link meanwhile. A sandbox needs the path itself.
 */
export async function inFolder<T>(
  real: string,
  opts: ToolOptions,
  work: (cwd: string) => Promise<T>,
): Promise<T> {
  const folder = await openFolder(real, { create: false });
  try {
    return await work(opts.sandbox === undefined ? folder.at('.') : real);
  } finally {
    await folder.close();
  }
}
