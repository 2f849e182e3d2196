import { createHash } from 'node:crypto';
import { lstatSync, readlinkSync, realpathSync, type BigIntStats } from 'node:fs';
import { open, opendir, stat } from 'node:fs/promises';
import { foundOrThrow, promptly } from '../looks/prompt-look.js';

export type FileKind = 'file' | 'directory' | 'link' | 'device' | 'fifo' | 'socket';

export interface FileFacts {
  readonly kind: FileKind;
  readonly size: number;
  /** `device:inode`: two spellings of one file share it. */
  readonly identity: string;
  readonly mtimeNs: string;
}

/** All that the facts read from a disk. Every method rejects with a Node errno error; injected for tests and policy tests. */
export interface FactFileSystem {
  readonly platform: NodeJS.Platform;
  /** Follows no link. */
  lstat(path: string): Promise<FileFacts>;
  readlink(path: string): Promise<string>;
  /** The one true spelling of an existing path, with the case that the disk holds. */
  realpath(path: string): Promise<string>;
  /** Names in a folder, at most `limit` of them. */
  list(folder: string, limit: number): Promise<readonly string[]>;
  /** Part of a regular file; shorter where the file ends. Never blocks on a FIFO. */
  bytes(path: string, from: number, length: number): Promise<Buffer>;
  /** sha256 of a regular file. Never blocks on a FIFO. */
  hash(path: string): Promise<string>;
}

/** Larger files are told apart by inode, size and time: hashing them twice a call would cost seconds. */
const HASH_LIMIT_BYTES = 32 * 1024 * 1024;

const LOOK = { bigint: true, throwIfNoEntry: false } as const;

export const nodeFactFileSystem: FactFileSystem = {
  platform: process.platform,
  lstat: (path) => promptly(() => toFileFacts(foundOrThrow(lstatSync(path, LOOK)))),
  readlink: (path) => promptly(() => readlinkSync(path)),
  realpath: (path) => promptly(() => realpathSync.native(path)),
  list: listFolder,
  bytes: readBytes,
  hash: hashFile,
};

function toFileFacts(stats: BigIntStats): FileFacts {
  return {
    kind: kindOf(stats),
    size: Number(stats.size),
    identity: `${stats.dev}:${stats.ino}`,
    mtimeNs: stats.mtimeNs.toString(),
  };
}

function kindOf(stats: BigIntStats): FileKind {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  if (stats.isSymbolicLink()) return 'link';
  if (stats.isFIFO()) return 'fifo';
  if (stats.isSocket()) return 'socket';
  return 'device';
}

async function listFolder(folder: string, limit: number): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of await opendir(folder)) {
    names.push(name);
    if (names.length >= limit) break;
  }
  return names;
}

async function readBytes(path: string, from: number, length: number): Promise<Buffer> {
  const { kind, size } = toFileFacts(await stat(path, { bigint: true }));
  if (kind !== 'file') throw new Error(`${path} is no file`);
  const handle = await open(path, 'r');
  try {
    const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - from)));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, from);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function hashFile(path: string): Promise<string> {
  const facts = toFileFacts(await stat(path, { bigint: true }));
  if (facts.kind !== 'file') return `not-a-file:${facts.kind}`;
  if (facts.size > HASH_LIMIT_BYTES) return `large:${facts.identity}:${facts.size}:${facts.mtimeNs}`;
  const handle = await open(path, 'r');
  try {
    const hash = createHash('sha256');
    for await (const chunk of handle.createReadStream({ autoClose: false })) hash.update(chunk as Uint8Array);
    return `sha256:${hash.digest('hex')}`;
  } finally {
    await handle.close();
  }
}
