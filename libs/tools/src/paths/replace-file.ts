import { constants, type BigIntStats } from 'node:fs';
import { lstat, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { randomBytes } from 'node:crypto';
import { WrongStackError, codeOf } from '@wrongstack/contracts';
import type { Location } from './locate.js';
import { refuseSpecial } from './open-file.js';
import { openFolder, type OpenFolder } from './open-folder.js';

export interface Replacement {
  readonly bytes: Uint8Array;
  /** The file as it was when the new content was made from it; null = it must not exist. */
  readonly before: BigIntStats | null;
  /** Injected by tests that fill the disk. */
  readonly writeBytes?: (handle: FileHandle, bytes: Uint8Array) => Promise<void>;
}

const TEMPORARY_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * Put new content in place of a file: a temporary file in the same folder, flushed, then renamed over it. Whatever fails
 * leaves the old file and no temporary one. The folder is held open throughout, so a folder that is swapped for a link
 * in between is never written through; mode bits and owner are kept.
 */
export async function replaceFile(location: Location, replacement: Replacement): Promise<void> {
  const name = basename(location.real);
  const folder = await openFolder(dirname(location.real), { create: replacement.before === null });
  try {
    await refuseChanged(folder, name, location.display, replacement.before);
    const temporary = folder.at(`.wstack-${randomBytes(6).toString('hex')}.tmp`);
    try {
      await fill(temporary, replacement);
      await folder.verify();
      await refuseChanged(folder, name, location.display, replacement.before);
      await rename(temporary, folder.at(name));
    } catch (error) {
      await unlink(temporary).catch(() => undefined);
      throw error;
    }
  } catch (error) {
    throw writeError(location.display, error);
  } finally {
    await folder.close();
  }
}

async function fill(temporary: string, replacement: Replacement): Promise<void> {
  const { before, bytes, writeBytes = writeAll } = replacement;
  // Private until it has the old file's mode: the content may be less public than a new file's default mode.
  const handle = await open(temporary, TEMPORARY_FLAGS, before === null ? 0o666 : 0o600);
  try {
    await writeBytes(handle, bytes);
    if (before !== null) await keepOwnerAndMode(handle, before);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  await handle.writeFile(bytes);
}

async function keepOwnerAndMode(handle: FileHandle, before: BigIntStats): Promise<void> {
  const created = await handle.stat({ bigint: true });
  if (created.uid !== before.uid || created.gid !== before.gid) {
    // Only an administrator can; for everybody else the new file is theirs, as with every editor that renames.
    await handle.chown(Number(before.uid), Number(before.gid)).catch(() => undefined);
  }
  await handle.chmod(Number(before.mode & 0o7777n));
}

/** The last look before the rename: whoever changed the file meanwhile keeps their change. */
async function refuseChanged(
  folder: OpenFolder,
  name: string,
  display: string,
  before: BigIntStats | null,
): Promise<void> {
  const now = await lstat(folder.at(name), { bigint: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (now !== null) refuseSpecial(display, now);
  const same =
    now === null || before === null
      ? now === before
      : now.ino === before.ino &&
        now.dev === before.dev &&
        now.mtimeNs === before.mtimeNs &&
        now.size === before.size;
  if (!same) {
    throw new WrongStackError('fs.stale', `${display} changed while it was being written: read it again`);
  }
}

function writeError(display: string, error: unknown): unknown {
  if (error instanceof WrongStackError) return error;
  const reasons: Readonly<Record<string, string>> = {
    ENOSPC: 'the disk is full',
    EDQUOT: 'the disk quota is used up',
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EROFS: 'the file system is read-only',
    ENAMETOOLONG: 'the name is too long',
  };
  const reason = reasons[codeOf(error)] ?? codeOf(error);
  return new WrongStackError(
    'fs.failed',
    `${display} was not written: ${reason}; the old content is untouched`,
    {
      cause: error,
    },
  );
}
