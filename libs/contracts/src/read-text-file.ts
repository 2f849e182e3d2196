import { constants, lstatSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, WrongStackError } from './errors.js';

/** Something is there, and what it says is not known. Callers say what follows from that, under a code of their own. */
export class UnreadableFile extends WrongStackError {
  constructor(
    readonly file: string,
    /** `is no regular file`, `cannot be read (EACCES)`. */
    readonly why: string,
    cause?: unknown,
  ) {
    super('file.unreadable', `${file}: ${why}`, { cause, hint: 'put it right, or move it away' });
  }
}

export interface ReadTextOptions {
  /** A person or we wrote it: more than this was written by neither. */
  readonly mostBytes: number;
  /** Refuse a file that is a link itself. By default links are followed: people keep their settings in repositories. */
  readonly refuseLinks?: boolean;
  /** Refuse a file that others could have written, where the platform's mode bits say so. */
  readonly ownersAlone?: boolean;
}

/**
 * The text of a file, or null where there is nothing of that name. Whoever may have put it there chooses what it is: this never
 * waits on a pipe, never reads a device without end, and never takes bytes for text that they are not. Throws `file.unreadable`.
 */
export async function readTextIfThere(file: string, options: ReadTextOptions): Promise<string | null> {
  return readIfThere(file, () => readText(file, options));
}

/** The same for a file that has to be there. */
export async function readTextFile(file: string, options: ReadTextOptions): Promise<string> {
  return readText(file, options).catch((error: unknown) => {
    throw asUnreadable(file, error);
  });
}

/** What `read` finds at a place, or null where there is nothing of that name. Throws `file.unreadable`. */
export async function readIfThere<Found>(place: string, read: () => Promise<Found>): Promise<Found | null> {
  try {
    return await read();
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw asUnreadable(place, error);
    if (nothingAt(place)) return null;
  }
  // Made just now, or a link that leads nowhere: that fails again.
  return read().catch((error: unknown) => {
    throw asUnreadable(place, error);
  });
}

/**
 * Whether there is nothing of that name. "No such file" alone does not say so: a link that leads nowhere answers the same,
 * as does all that would lie below it, and who takes that for absence drops what somebody meant to be in force.
 */
export function nothingAt(place: string): boolean {
  try {
    if (lstatSync(place, LOOK) !== undefined) return false;
    const folder = dirname(place);
    return folder === place || (statSync(folder, LOOK)?.isDirectory() ?? nothingAt(folder));
  } catch {
    return false;
  }
}

const LOOK = { throwIfNoEntry: false } as const;

async function readText(file: string, options: ReadTextOptions): Promise<string> {
  const { mostBytes, refuseLinks = false, ownersAlone = false } = options;
  const links = refuseLinks ? constants.O_NOFOLLOW : 0;
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK | links);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new UnreadableFile(file, 'is no regular file');
    if (stats.size > mostBytes) throw new UnreadableFile(file, `is larger than ${sizeText(mostBytes)}`);
    if (ownersAlone && process.platform !== 'win32' && (stats.mode & 0o022) !== 0)
      throw new UnreadableFile(file, 'can be written by others: chmod 600 it after looking at it');
    return textOf(await handle.readFile(), file);
  } finally {
    await handle.close();
  }
}

function textOf(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new UnreadableFile(file, 'is no UTF-8 text', error);
  }
}

function asUnreadable(file: string, error: unknown): UnreadableFile {
  if (error instanceof UnreadableFile) return error;
  return new UnreadableFile(file, `cannot be read (${codeOf(error)})`, error);
}

function sizeText(bytes: number): string {
  return bytes % MIB === 0 ? `${bytes / MIB} MiB` : `${bytes} bytes`;
}

const MIB = 1024 * 1024;
