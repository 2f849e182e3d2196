import { closeSync, constants, openSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pathChanged } from './locate.js';
import { folderError } from './open-folder.js';

/**
 * `openFolder` for those who look at thousands of folders or at one small file: the same checks by synchronous calls.
 * Each takes about two microseconds on a local disk; a trip through the pool of asynchronous ones takes twenty times
 * that. Who holds many of them in turn lets the event loop run in between.
 */
export interface HeldFolder {
  /** A path for `name` in exactly this folder. */
  readonly at: (name: string) => string;
  /** Throws `path.changed` when the held folder is not (or no longer) at the path it was opened for. */
  verify(): void;
  close(): void;
}

const FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const anchored = process.platform === 'linux';

/** `realPath` must be resolved already. */
export function holdFolder(realPath: string): HeldFolder {
  const folder = anchored ? holdAnchored(realPath) : holdPlain(realPath);
  try {
    folder.verify();
    return folder;
  } catch (error) {
    folder.close();
    throw error;
  }
}

function holdAnchored(path: string): HeldFolder {
  const descriptor = openFolderDescriptor(path);
  const root = `/proc/self/fd/${descriptor}`;
  return {
    at: (name) => `${root}/${name}`,
    verify: () => requireSame(path, readlinkSync(root)),
    close: () => closeSync(descriptor),
  };
}

function openFolderDescriptor(path: string): number {
  try {
    return openSync(path, FLAGS);
  } catch (error) {
    throw folderError(path, error);
  }
}

function holdPlain(path: string): HeldFolder {
  return {
    at: (name) => join(path, name),
    verify: () => requireSame(path, realpathSync.native(path)),
    close: () => undefined,
  };
}

function requireSame(expected: string, actual: string): void {
  if (actual !== expected) throw pathChanged(expected, actual);
}
