import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openFolder } from '../paths/open-folder.js';
import { isIgnored, readIgnoreChain, readIgnoreFolder, type IgnoreFolder } from './ignore-rules.js';
import { SKIPPED_NAMES } from './skipped-names.js';

export interface WalkEntry {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly kind: 'file' | 'folder';
  /** 1 = directly in the root. */
  readonly depth: number;
}

export interface WalkOptions {
  readonly signal: AbortSignal;
  /** Folders deeper than this are named and not entered. */
  readonly depth?: number;
}

/**
 * Files and folders below `root` in the byte order of their names, a folder before what it holds. Hidden ones too; not
 * those of ignore files, not the skipped names. Links are neither named nor followed, so a walk ends and stays inside.
 */
export async function* walk(root: string, options: WalkOptions): AsyncGenerator<WalkEntry, void, undefined> {
  yield* walkFolder({ path: root, relative: '', depth: 1 }, await readIgnoreChain(root), options);
}

interface Folder {
  readonly path: string;
  readonly relative: string;
  readonly depth: number;
}

async function* walkFolder(
  folder: Folder,
  rules: IgnoreFolder,
  options: WalkOptions,
): AsyncGenerator<WalkEntry, void, undefined> {
  for (const entry of await sortedEntries(folder.path)) {
    options.signal.throwIfAborted();
    if (SKIPPED_NAMES.has(entry.name)) continue;
    const kind = entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : null;
    const path = join(folder.path, entry.name);
    if (kind === null || isIgnored(rules, path, kind === 'folder')) continue;
    const relative = folder.relative === '' ? entry.name : `${folder.relative}/${entry.name}`;
    yield { path: relative, kind, depth: folder.depth };
    if (kind === 'folder' && folder.depth < (options.depth ?? Number.POSITIVE_INFINITY)) {
      yield* walkFolder(
        { path, relative, depth: folder.depth + 1 },
        await readIgnoreFolder(path, rules),
        options,
      );
    }
  }
}

async function sortedEntries(path: string): Promise<readonly Dirent[]> {
  return (await entriesOf(path))
    .map((entry) => ({ entry, bytes: Buffer.from(entry.name) }))
    .sort((one, other) => Buffer.compare(one.bytes, other.bytes))
    .map(({ entry }) => entry);
}

/** A folder that may not be read, is gone, or turned into a link since it was seen holds nothing for us. */
async function entriesOf(path: string): Promise<readonly Dirent[]> {
  const folder = await openFolder(path, { create: false }).catch(() => null);
  if (folder === null) return [];
  try {
    return await readdir(folder.at('.'), { withFileTypes: true });
  } catch {
    return [];
  } finally {
    await folder.close();
  }
}
