import { join } from 'node:path';
import type { FactFileSystem } from '../fact-file-system.js';
import { objectKinds } from './object-kinds.js';
import { isAbsent, kindOf, textOf, type GitRepository } from './repository.js';

/** Ranges, ancestors, entries of a reflog, searches and what is forced to be one: commits, and nothing else. */
const COMMITS = /\.\.|@\{|\^\{(?:commit|tree|\/)|\^\d*$|~\d*$|\^[@!-]|^(?:HEAD|@)$|^:\/./;
const MAX_HOPS = 5;

/** May git show a blob for this revision? Throws where the store cannot be read. */
export async function mayBeBlob(
  fs: FactFileSystem,
  { own, common }: GitRepository,
  revision: string,
): Promise<boolean> {
  const name = revision.replace(/^\^/, '').replace(/\^\{(?:|object|blob|tag)\}$/, '');
  if (COMMITS.test(name)) return false;
  await refuseUnknownFormats(fs, common);
  const hashes = /^[0-9a-f]{4,40}$/i.test(name) ? [name.toLowerCase()] : [];
  for (const folder of new Set([own, common])) hashes.push(...(await refsCalled(fs, folder, name)));
  for (const hash of hashes) {
    if ((await objectKinds(fs, join(common, 'objects'), hash)).has('blob')) return true;
  }
  return false;
}

async function refuseUnknownFormats(fs: FactFileSystem, common: string): Promise<void> {
  if ((await kindOf(fs, join(common, 'reftable'))) !== null) throw new Error('refs are kept in tables');
  if (/objectformat\s*=\s*(?!sha1)/i.test(await textOf(fs, join(common, 'config')).catch(absentIsEmpty)))
    throw new Error('objects have hashes of another kind');
}

/** What a ref of that name points to, wherever git looks for one. */
async function refsCalled(fs: FactFileSystem, folder: string, name: string): Promise<string[]> {
  if (name === '' || name.includes('..') || name.startsWith('/')) return [];
  const places = [name, ...['', 'tags/', 'heads/', 'remotes/'].map((kind) => `refs/${kind}${name}`)];
  places.push(`refs/remotes/${name}/HEAD`);
  const packed = await textOf(fs, join(folder, 'packed-refs')).catch(absentIsEmpty);
  const hashes: string[] = [];
  for (const place of places) {
    const loose = await looseRef(fs, folder, place, MAX_HOPS);
    if (loose !== null) hashes.push(loose);
    for (const line of packed.split('\n')) {
      if (line.slice(41) === place) hashes.push(line.slice(0, 40));
    }
  }
  return hashes;
}

async function looseRef(
  fs: FactFileSystem,
  folder: string,
  place: string,
  hops: number,
): Promise<string | null> {
  if ((await kindOf(fs, join(folder, place))) !== 'file') return null;
  const text = (await textOf(fs, join(folder, place))).trimEnd();
  const next = /^ref: (.+)$/.exec(text)?.[1];
  if (next !== undefined) return hops === 0 ? null : looseRef(fs, folder, next, hops - 1);
  return /^[0-9a-f]{40}$/.exec(text.split(/\s/, 1)[0] ?? '')?.[0] ?? null;
}

function absentIsEmpty(error: unknown): string {
  if (isAbsent(error)) return '';
  throw error;
}
