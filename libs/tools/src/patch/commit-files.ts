import { randomBytes } from 'node:crypto';
import { constants, type BigIntStats } from 'node:fs';
import { copyFile, link, lstat, open, rename, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { WrongStackError, codeOf, messageOf } from '@wrongstack/contracts';
import type { Location } from '../paths/locate.js';
import { refuseSpecial } from '../paths/open-file.js';
import { openFolder, type OpenFolder } from '../paths/open-folder.js';

/** What becomes of one file. `before` = as it was when the change was made from it; null = it did not exist. */
export interface PlannedFile {
  readonly location: Location;
  readonly before: BigIntStats | null;
  /** Null = the file goes away. */
  readonly bytes: Uint8Array | null;
  /** Permission bits of the new file; null = as before, or what a new file gets. */
  readonly mode: number | null;
}

export interface CommitSteps {
  /** Injected by tests of what happens when a disk fails half-way. */
  readonly rename?: (from: string, to: string) => Promise<void>;
}

interface Staged {
  readonly file: PlannedFile;
  readonly folder: OpenFolder;
  readonly target: string;
  readonly temporary: string | null;
  readonly backup: string | null;
}

/**
 * All files or none. Everything that can fail early happens first, beside the files: new content is written and flushed
 * to temporary files. Then every file is looked at once more, and only renames remain; a rename that fails takes
 * those before it back. Folders stay open throughout, so that none of them can be swapped for a link meanwhile.
 */
export async function commitFiles(files: readonly PlannedFile[], steps: CommitSteps = {}): Promise<void> {
  const move = steps.rename ?? rename;
  const staged: Staged[] = [];
  const created = await missingFolders(files);
  const undo: (() => Promise<unknown>)[] = [];
  let end: 'done' | 'taken-back' | 'stuck' = 'taken-back';
  try {
    for (const file of files) staged.push(await stage(file));
    for (const one of staged) await lookAgain(one);
    for (const one of staged) await put(one, move, undo);
    end = 'done';
  } catch (error) {
    const lost = await takeBack(undo);
    if (lost.length > 0) end = 'stuck';
    throw commitError(error, lost);
  } finally {
    // What could not be put back may now exist under its hidden name only: that one stays.
    for (const one of staged) await cleanUp(one, end === 'stuck');
    if (end !== 'done') for (const folder of created) await rmdir(folder).catch(() => undefined);
  }
}

/** Deepest first. */
async function missingFolders(files: readonly PlannedFile[]): Promise<readonly string[]> {
  const missing = new Set<string>();
  for (const { location, bytes } of files) {
    if (bytes === null) continue;
    for (let folder = dirname(location.real); !missing.has(folder); folder = dirname(folder)) {
      const there = await lstat(folder).then(
        () => true,
        () => false,
      );
      if (there) break;
      missing.add(folder);
    }
  }
  return [...missing].sort((left, right) => right.length - left.length);
}

const TEMPORARY_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

function hidden(folder: OpenFolder): string {
  return folder.at(`.wstack-${randomBytes(6).toString('hex')}.tmp`);
}

async function stage(file: PlannedFile): Promise<Staged> {
  const folder = await openFolder(dirname(file.location.real), { create: file.bytes !== null });
  const temporary = file.bytes === null ? null : hidden(folder);
  try {
    if (temporary !== null && file.bytes !== null) await fill(temporary, file, file.bytes);
    const backup = file.before === null ? null : hidden(folder);
    return { file, folder, target: folder.at(basename(file.location.real)), temporary, backup };
  } catch (error) {
    if (temporary !== null) await unlink(temporary).catch(() => undefined);
    await folder.close();
    throw error;
  }
}

async function fill(temporary: string, file: PlannedFile, bytes: Uint8Array): Promise<void> {
  const { before, mode } = file;
  // Private until it has the old file's mode: the content may be less public than a new file's default mode.
  const handle = await open(temporary, TEMPORARY_FLAGS, before === null ? 0o666 : 0o600);
  try {
    await handle.writeFile(bytes);
    if (before !== null) {
      const own = await handle.stat({ bigint: true });
      if (own.uid !== before.uid || own.gid !== before.gid) {
        // Only an administrator can; for everybody else the new file is theirs.
        await handle.chown(Number(before.uid), Number(before.gid)).catch(() => undefined);
      }
    }
    if (mode !== null) await handle.chmod(mode);
    else if (before !== null) await handle.chmod(Number(before.mode & 0o7777n));
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function lookAgain({ file, folder, target }: Staged): Promise<void> {
  await folder.verify();
  const now = await lstat(target, { bigint: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (now !== null) refuseSpecial(file.location.display, now);
  const { before } = file;
  const same =
    now === null || before === null
      ? now === before
      : now.ino === before.ino &&
        now.dev === before.dev &&
        now.mtimeNs === before.mtimeNs &&
        now.size === before.size;
  if (!same) {
    throw new WrongStackError(
      'fs.stale',
      `${file.location.display} changed while the patch was being applied: read it again`,
    );
  }
}

async function put(
  { target, temporary, backup }: Staged,
  move: NonNullable<CommitSteps['rename']>,
  undo: (() => Promise<unknown>)[],
): Promise<void> {
  if (temporary === null) {
    if (backup === null) return;
    await move(target, backup);
    undo.push(() => rename(backup, target));
    return;
  }
  if (backup !== null) {
    // A second name for the old file; where a file system has no links, a copy of it.
    await link(target, backup).catch(() => copyFile(target, backup, constants.COPYFILE_EXCL));
  }
  await move(temporary, target);
  undo.push(() => (backup === null ? unlink(target) : rename(backup, target)));
}

/** Names nothing when all went back. */
async function takeBack(undo: readonly (() => Promise<unknown>)[]): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const step of [...undo].reverse()) {
    await step().catch((error: unknown) => lost.push(messageOf(error)));
  }
  return lost;
}

async function cleanUp({ folder, temporary, backup }: Staged, keepBackup: boolean): Promise<void> {
  for (const name of [temporary, keepBackup ? null : backup])
    if (name !== null) await unlink(name).catch(() => undefined);
  await folder.close().catch(() => undefined);
}

function commitError(error: unknown, lost: readonly string[]): unknown {
  if (lost.length > 0) {
    return new WrongStackError(
      'fs.half_written',
      `the change failed (${messageOf(error)}) and could not be taken back everywhere (old content is beside the files as .wstack-*.tmp): ${lost.join('; ')}`,
      { cause: error },
    );
  }
  if (error instanceof WrongStackError) return error;
  const reasons: Readonly<Record<string, string>> = {
    ENOSPC: 'the disk is full',
    EDQUOT: 'the disk quota is used up',
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EROFS: 'the file system is read-only',
    EISDIR: 'a folder is in the way',
  };
  return new WrongStackError(
    'fs.failed',
    `nothing was changed: ${reasons[codeOf(error)] ?? codeOf(error)}; every file is as it was`,
    { cause: error },
  );
}
