import { join } from 'node:path';
import type { FactFileSystem } from '../fact-file-system.js';
import { isAbsent, type GitRepository } from './repository.js';

/** The index of a very large repository. One that is larger is not looked into. */
const LARGEST = 64 * 1024 * 1024;
/** Times, sizes, ids and flags before the name of an entry. */
const FIXED = 62;
const EXTENDED = 0x4000;

/** The names of the files that git tracks, from the top of the working tree. Throws where they cannot be told. */
export async function trackedNames(fs: FactFileSystem, { own }: GitRepository): Promise<readonly string[]> {
  let bytes: Buffer;
  try {
    bytes = await fs.bytes(join(own, 'index'), 0, LARGEST);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
  const version = bytes.length < 12 ? 0 : bytes.readUInt32BE(4);
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4)
    throw new Error('the index has another format');
  return namesIn(bytes, version, bytes.readUInt32BE(8));
}

function namesIn(bytes: Buffer, version: number, count: number): string[] {
  const names: string[] = [];
  let at = 12;
  let previous = Buffer.alloc(0);
  for (let entry = 0; entry < count; entry += 1) {
    const start = at;
    // A folder in place of its files, or an index that only says what differs from a shared one.
    if (bytes.readUInt32BE(start + 24) >> 12 === 4) throw new Error('the index is sparse');
    at += FIXED + ((bytes.readUInt16BE(start + 60) & EXTENDED) === 0 ? 0 : 2);
    let kept = 0;
    if (version === 4) {
      const { value, next } = variable(bytes, at);
      kept = previous.length - value;
      at = next;
    }
    const end = bytes.indexOf(0, at);
    if (end < 0 || kept < 0) throw new Error('the index is cut off');
    previous = Buffer.concat([previous.subarray(0, kept), bytes.subarray(at, end)]);
    names.push(previous.toString('utf8'));
    at = version === 4 ? end + 1 : start + ((end - start + 8) & ~7);
  }
  if (bytes.indexOf('link', at, 'latin1') === at) throw new Error('the index is split');
  return names;
}

function variable(bytes: Buffer, from: number): { value: number; next: number } {
  let value = bytes.readUInt8(from) & 0x7f;
  let at = from;
  while ((bytes.readUInt8(at) & 0x80) !== 0) {
    at += 1;
    value = (value + 1) * 128 + (bytes.readUInt8(at) & 0x7f);
  }
  return { value, next: at + 1 };
}
