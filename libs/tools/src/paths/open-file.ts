import { constants, type BigIntStats, type Stats } from 'node:fs';
import { lstat, open, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { WrongStackError, codeOf } from '@wrongstack/contracts';
import type { Location } from './locate.js';
import { openFolder } from './open-folder.js';

export interface OpenedFile {
  readonly handle: FileHandle;
  readonly stat: BigIntStats;
  /** As `fs.stat` gives it, for `ctx.recordRead`. */
  readonly mtimeMs: number;
}

// O_NONBLOCK: a FIFO that takes the file's place between the two checks must not hang the open.
export const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Open a regular file for reading at its real path and nowhere else. The caller closes `handle`. */
export async function openFile(location: Location): Promise<OpenedFile> {
  const { real, display } = location;
  if (!location.exists) throw notFound(display);
  const name = basename(real);
  if (name === '') throw notRegular(display, 'a folder');
  const folder = await openFolder(dirname(real), { create: false });
  try {
    // Looked at before it is opened: opening a device can already have an effect.
    refuseSpecial(display, await lstat(folder.at(name)));
    const handle = await open(folder.at(name), READ_FLAGS);
    try {
      const stat = await handle.stat({ bigint: true });
      refuseSpecial(display, stat);
      await folder.verify();
      const { mtimeMs } = await handle.stat();
      return { handle, stat, mtimeMs };
    } catch (error) {
      await handle.close();
      throw error;
    }
  } catch (error) {
    throw openError(display, error);
  } finally {
    await folder.close();
  }
}

/** Throws unless `entry` is a regular file. */
export function refuseSpecial(display: string, entry: Stats | BigIntStats): void {
  if (entry.isFile()) return;
  if (entry.isDirectory()) throw notRegular(display, 'a folder');
  if (entry.isFIFO()) throw notRegular(display, 'a FIFO');
  if (entry.isSocket()) throw notRegular(display, 'a socket');
  if (entry.isSymbolicLink()) {
    throw new WrongStackError(
      'path.changed',
      `${display} turned into a link: nothing was touched, call again`,
    );
  }
  throw notRegular(display, 'a device');
}

export function notFound(display: string): WrongStackError {
  return new WrongStackError('fs.not_found', `${display} does not exist: find it with glob or tree`);
}

export function notRegular(display: string, what: string): WrongStackError {
  return what === 'a folder'
    ? new WrongStackError('fs.is_folder', `${display} is a folder: list it with tree or glob`)
    : new WrongStackError('fs.not_a_file', `${display} is ${what}, not a file: it was not opened`);
}

export function openError(display: string, error: unknown): unknown {
  if (error instanceof WrongStackError) return error;
  const code = codeOf(error);
  if (code === 'ENOENT') return notFound(display);
  if (code === 'EACCES' || code === 'EPERM') {
    return new WrongStackError('fs.denied', `${display} cannot be read: permission denied`, { cause: error });
  }
  if (code === 'ELOOP') {
    return new WrongStackError(
      'path.changed',
      `${display} turned into a link: nothing was touched, call again`,
    );
  }
  return new WrongStackError('fs.failed', `${display} cannot be read: ${code}`, { cause: error });
}
