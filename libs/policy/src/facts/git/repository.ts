import { dirname, join, resolve } from 'node:path';
import type { FactFileSystem } from '../fact-file-system.js';

/** Where one repository keeps things. A linked working tree has a folder of its own and shares the rest. */
export interface GitRepository {
  /** HEAD and index of this working tree. */
  readonly own: string;
  /** Refs and objects. */
  readonly common: string;
  readonly top: string;
}

/** Enough for any settings or pointer file, small enough for every call. */
const SMALL = 1024 * 1024;

/** The repository that git would find from this folder; null where there is none. Throws where that cannot be told. */
export async function findRepository(fs: FactFileSystem, folder: string): Promise<GitRepository | null> {
  for (let top = folder; ; top = dirname(top)) {
    const own = (await gitFolder(fs, top)) ?? ((await isBare(fs, top)) ? top : null);
    if (own !== null) return { own, common: await commonOf(fs, own), top };
    if (dirname(top) === top) return null;
  }
}

/** `.git`, or where a file of that name points to. */
async function gitFolder(fs: FactFileSystem, top: string): Promise<string | null> {
  const path = join(top, '.git');
  const kind = await kindOf(fs, path);
  if (kind !== 'file') return kind === null ? null : path;
  const pointer = /^gitdir: (.+)/.exec(await textOf(fs, path))?.[1];
  return pointer === undefined ? null : resolve(top, pointer.trimEnd());
}

async function isBare(fs: FactFileSystem, folder: string): Promise<boolean> {
  if ((await kindOf(fs, join(folder, 'HEAD'))) !== 'file') return false;
  return (await kindOf(fs, join(folder, 'objects'))) === 'directory';
}

async function commonOf(fs: FactFileSystem, own: string): Promise<string> {
  const pointer = join(own, 'commondir');
  return (await kindOf(fs, pointer)) === null ? own : resolve(own, (await textOf(fs, pointer)).trimEnd());
}

/** Only "there is none" is null; whatever else keeps a file from being read throws. */
export async function kindOf(fs: FactFileSystem, path: string): Promise<string | null> {
  try {
    return (await fs.lstat(path)).kind;
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

export function isAbsent(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

export async function textOf(fs: FactFileSystem, path: string): Promise<string> {
  return (await fs.bytes(path, 0, SMALL)).toString('utf8');
}
