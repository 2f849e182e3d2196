import { constants } from 'node:fs';
import { mkdir, open, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { WrongStackError, codeOf } from '@wrongstack/contracts';
import { pathChanged } from './locate.js';

/**
 * A folder held open, so that what happens to its path afterwards does not matter (check-then-use).
 * Node has no `openat`: on Linux `/proc/self/fd/<n>/<name>` is the same thing. Elsewhere the path is resolved again.
 */
export interface OpenFolder {
  /** A path for `name` in exactly this folder. */
  at(name: string): string;
  /** Throws `path.changed` when the open folder is not (or no longer) at the path it was opened for. */
  verify(): Promise<void>;
  close(): Promise<void>;
}

const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const anchored = process.platform === 'linux';

/** `realPath` must be resolved already. With `create`, missing folders are made one by one below the open one. */
export async function openFolder(
  realPath: string,
  options: { readonly create: boolean },
): Promise<OpenFolder> {
  const folder = anchored
    ? await openAnchored(realPath, realPath, options.create)
    : await openPlain(realPath, options.create);
  try {
    await folder.verify();
    return folder;
  } catch (error) {
    await folder.close();
    throw error;
  }
}

async function openAnchored(path: string, expected: string, create: boolean): Promise<OpenFolder> {
  let handle: FileHandle;
  try {
    handle = await open(path, FOLDER_FLAGS);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || !create || dirname(expected) === expected)
      throw folderError(expected, error);
    handle = await createInside(expected);
  }
  return anchoredFolder(handle, expected);
}

async function createInside(expected: string): Promise<FileHandle> {
  const parent = await openAnchored(dirname(expected), dirname(expected), true);
  try {
    await parent.verify();
    const path = parent.at(basename(expected));
    await mkdir(path).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw folderError(expected, error);
    });
    return await open(path, FOLDER_FLAGS).catch((error: unknown) => {
      throw folderError(expected, error);
    });
  } finally {
    await parent.close();
  }
}

function anchoredFolder(handle: FileHandle, expected: string): OpenFolder {
  const root = `/proc/self/fd/${handle.fd}`;
  return {
    at: (name) => `${root}/${name}`,
    verify: async () => {
      const actual = await readlink(root);
      if (actual !== expected) throw pathChanged(expected, actual);
    },
    close: () => handle.close(),
  };
}

async function openPlain(path: string, create: boolean): Promise<OpenFolder> {
  if (create) await mkdir(path, { recursive: true });
  return {
    at: (name) => join(path, name),
    verify: async () => {
      const actual = await realpath(path);
      if (actual !== path) throw pathChanged(path, actual);
    },
    close: async () => undefined,
  };
}

export function folderError(path: string, cause: unknown): WrongStackError {
  const code = codeOf(cause);
  if (code === 'ELOOP' || code === 'ENOTDIR') {
    return new WrongStackError('path.changed', `${path} is not a folder (any more): nothing was touched`, {
      cause,
    });
  }
  if (code === 'ENOENT') return new WrongStackError('fs.not_found', `${path} does not exist`, { cause });
  return new WrongStackError('fs.failed', `${path} cannot be opened: ${code}`, { cause });
}
