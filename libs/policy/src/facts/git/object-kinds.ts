import { join } from 'node:path';
import { constants, inflateSync } from 'node:zlib';
import type { FactFileSystem } from '../fact-file-system.js';
import { isAbsent, textOf } from './repository.js';

export type ObjectKind = 'commit' | 'tree' | 'blob' | 'tag';

const KINDS: Readonly<Record<number, ObjectKind>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' };
const ID_BYTES = 20;
const FANOUT = 256 * 4;
/** Beginnings are enough: of a tag its first lines, of anything else its kind. */
const BEGINNING = 512;
const MAX_LINKS = 64;

/**
 * Of which kinds the objects are whose hash begins so. Reads git's own files, as running git would obey the settings of a
 * repository before anybody was asked. Throws where a store is in a form that it does not know.
 */
export async function objectKinds(
  fs: FactFileSystem,
  objects: string,
  hash: string,
): Promise<ReadonlySet<ObjectKind>> {
  const kinds = new Set<ObjectKind>();
  for (const store of await storesOf(fs, objects)) {
    for (const kind of await looseKinds(fs, store, hash)) kinds.add(kind);
    for (const kind of await packedKinds(fs, store, hash)) kinds.add(kind);
  }
  return kinds;
}

async function storesOf(fs: FactFileSystem, objects: string): Promise<readonly string[]> {
  const borrowed = await optional(textOf(fs, join(objects, 'info/alternates')), '');
  const others = borrowed.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return [objects, ...others.map((path) => (path.startsWith('/') ? path : join(objects, path)))];
}

async function looseKinds(fs: FactFileSystem, store: string, hash: string): Promise<ObjectKind[]> {
  const folder = join(store, hash.slice(0, 2));
  const names = await optional(fs.list(folder, 1_000_000), []);
  const kinds: ObjectKind[] = [];
  for (const name of names.filter((one) => one.startsWith(hash.slice(2)))) {
    const text = inflated(await fs.bytes(join(folder, name), 0, BEGINNING));
    const [, kind, body = ''] = /^(commit|tree|blob|tag) \d+\0([\s\S]*)$/.exec(text) ?? [];
    if (kind === undefined) throw new Error(`object ${name} cannot be read`);
    kinds.push(kind === 'tag' ? tagged(body) : (kind as ObjectKind));
  }
  return kinds;
}

async function packedKinds(fs: FactFileSystem, store: string, hash: string): Promise<ObjectKind[]> {
  const folder = join(store, 'pack');
  const indexes = (await optional(fs.list(folder, 100_000), [])).filter((name) => name.endsWith('.idx'));
  const kinds: ObjectKind[] = [];
  for (const name of indexes) {
    const pack = new Pack(fs, join(folder, name.slice(0, -'.idx'.length)));
    for (const offset of await pack.offsetsOf(hash)) kinds.push(await pack.kindAt(offset));
  }
  return kinds;
}

/** One `.pack` with its `.idx` of version 2. */
class Pack {
  constructor(
    private readonly fs: FactFileSystem,
    private readonly base: string,
  ) {}

  async offsetsOf(prefix: string): Promise<number[]> {
    const head = await this.index(0, 8 + FANOUT);
    if (head.readUInt32BE(0) !== 0xff744f63 || head.readUInt32BE(4) !== 2)
      throw new Error(`${this.base}.idx has another version`);
    const upTo = (byte: number): number => (byte < 0 ? 0 : head.readUInt32BE(8 + byte * 4));
    const total = upTo(255);
    const first = Number.parseInt(prefix.slice(0, 2), 16);
    const from = upTo(first - 1);
    const ids = await this.index(8 + FANOUT + from * ID_BYTES, (upTo(first) - from) * ID_BYTES);
    const found: number[] = [];
    for (let at = 0; at < ids.length; at += ID_BYTES) {
      if (ids.toString('hex', at, at + ID_BYTES).startsWith(prefix))
        found.push(await this.offset(from + at / ID_BYTES, total));
    }
    return found;
  }

  private async offset(position: number, total: number): Promise<number> {
    const table = 8 + FANOUT + total * (ID_BYTES + 4);
    const short = (await this.index(table + position * 4, 4)).readUInt32BE(0);
    if (short < 0x80000000) return short;
    const long = await this.index(table + total * 4 + (short - 0x80000000) * 8, 8);
    return Number(long.readBigUInt64BE(0));
  }

  /** What is stored as a difference is of the kind of what it differs from. */
  async kindAt(offset: number, links = 0): Promise<ObjectKind> {
    if (links > MAX_LINKS) throw new Error(`${this.base}.pack has a chain without end`);
    const bytes = await this.fs.bytes(`${this.base}.pack`, offset, BEGINNING);
    const type = (bytes.readUInt8(0) >> 4) & 7;
    let at = 0;
    while ((bytes.readUInt8(at) & 0x80) !== 0) at += 1;
    at += 1;
    if (type === 6) return this.kindAt(offset - distance(bytes, at), links + 1);
    if (type === 7) {
      const [base] = await this.offsetsOf(bytes.toString('hex', at, at + ID_BYTES));
      if (base !== undefined) return this.kindAt(base, links + 1);
    }
    const kind = KINDS[type];
    if (kind === undefined) throw new Error(`${this.base}.pack cannot be read`);
    return kind === 'tag' && links === 0 ? tagged(inflated(bytes.subarray(at))) : kind;
  }

  private index(from: number, length: number): Promise<Buffer> {
    return this.fs.bytes(`${this.base}.idx`, from, length);
  }
}

/** How far back the base of a difference lies: seven bits a byte, one added for each that follows. */
function distance(bytes: Buffer, from: number): number {
  let value = bytes.readUInt8(from) & 0x7f;
  for (let at = from; (bytes.readUInt8(at) & 0x80) !== 0; at += 1)
    value = (value + 1) * 128 + (bytes.readUInt8(at + 1) & 0x7f);
  return value;
}

/** A tag counts as what it points to: git shows that. */
function tagged(body: string): ObjectKind {
  return /^object [0-9a-f]+\ntype blob\n/.test(body) ? 'blob' : 'tag';
}

function inflated(beginning: Buffer): string {
  return inflateSync(beginning, { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1');
}

async function optional<T>(reading: Promise<T>, none: T): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (isAbsent(error)) return none;
    throw error;
  }
}
