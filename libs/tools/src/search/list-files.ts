import type { ToolOptions } from '@wrongstack/contracts';
import type { GlobFolder } from './glob-pattern.js';
import { commonArgs, runRipgrep, type LocateRipgrep } from './ripgrep.js';
import { SEARCH_DEADLINE_MS, inFolder } from './search-root.js';
import { walk } from './walk.js';

export interface FileListing {
  readonly root: string;
  /** Called with each path in order, relative to the root. `stop` = enough. */
  readonly onFile: (path: string) => 'more' | 'stop';
  readonly opts: ToolOptions;
  readonly locate: LocateRipgrep;
}

export type ListingEnd = 'complete' | 'stopped' | 'timed-out';

/** All files below a folder in byte order: by ripgrep, or by our own walk where it cannot run. Same set, same order. */
export async function listFiles(listing: FileListing): Promise<ListingEnd> {
  const binary = await listing.locate();
  if (binary !== null) {
    const end = await listWithRipgrep(binary, listing);
    if (end !== 'unavailable') return end;
  }
  return listByWalking(listing);
}

async function listWithRipgrep(binary: string, listing: FileListing): Promise<ListingEnd | 'unavailable'> {
  const { root, opts, onFile } = listing;
  const args = [...commonArgs(root), '--sort', 'path', '--files', '--null', '--', '.'];
  const outcome = await inFolder(root, opts, (cwd) =>
    runRipgrep({
      binary,
      args,
      cwd,
      separator: '\0',
      onRecord: (record) => onFile(record.toString('utf8').replace(/^\.\//, '')),
      signal: opts.signal,
      timeoutMs: SEARCH_DEADLINE_MS,
      ...(opts.sandbox === undefined ? {} : { sandbox: opts.sandbox }),
    }),
  );
  return outcome.kind === 'done' ? 'complete' : outcome.kind;
}

/** The same by our own walk, which is the faster way when a glob says where not to look and which names not to keep. */
export async function listByWalking(
  listing: Omit<FileListing, 'locate'>,
  glob?: GlobFolder,
): Promise<ListingEnd> {
  const deadline = AbortSignal.timeout(SEARCH_DEADLINE_MS);
  try {
    for await (const group of walk(listing.root, {
      signal: AbortSignal.any([listing.opts.signal, deadline]),
      ...(glob === undefined ? {} : { glob }),
    })) {
      for (const entry of group) {
        if (entry.kind === 'file' && listing.onFile(entry.path) === 'stop') return 'stopped';
      }
    }
    return 'complete';
  } catch (error) {
    if (deadline.aborted && !listing.opts.signal.aborted) return 'timed-out';
    throw error;
  }
}
