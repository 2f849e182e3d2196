import { dirname } from 'node:path/posix';
import type { FactFileSystem } from '../facts/fact-file-system.js';

/** A disk of these folders and those above them, without a single file. Nothing on it depends on the machine. */
export function emptyDisk(folders: readonly string[]): FactFileSystem {
  const known = new Set<string>(['/']);
  for (const folder of folders) {
    for (let path = folder; path !== '/'; path = dirname(path)) known.add(path);
  }
  const check = async (path: string): Promise<string> => {
    if (known.has(path)) return path;
    throw Object.assign(new Error(`nothing at ${path}`), { code: 'ENOENT' });
  };
  return {
    platform: 'linux',
    lstat: async (path) => ({ kind: 'directory', size: 0, identity: await check(path), mtimeNs: '0' }),
    readlink: check,
    realpath: check,
    list: async () => [],
    bytes: async (path) => Buffer.from(await check(path)),
    hash: check,
  };
}
