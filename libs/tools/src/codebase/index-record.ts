import type { CodeSymbol, SymbolKind } from './code-symbol.js';

/** What is kept of one file. */
export interface FileRecord {
  readonly path: string;
  readonly size: number;
  /** Nanoseconds since the epoch. */
  readonly mtimeNs: string;
  readonly length: number;
  readonly symbols: readonly CodeSymbol[];
  readonly terms: ReadonlyMap<string, number>;
}

/** Stands for the time of a file that could not be read: it is tried again as soon as it can be. */
export const UNREADABLE_MTIME = '0';

export const INDEX_HEADER = '{"wrongstackIndex":1}';

/** One line. What says whether the file changed stands first, so that it is read without the rest. */
export function recordLine(record: FileRecord): string {
  const { path, size, mtimeNs, length, symbols, terms } = record;
  return JSON.stringify([
    path,
    size,
    mtimeNs,
    length,
    symbols.map(({ name, kind, line }) => [name, kind, line]),
    Object.fromEntries(terms),
  ]);
}

export interface RecordHead {
  readonly path: string;
  readonly size: number;
  readonly mtimeNs: string;
}

const HEAD = /^\["((?:[^"\\]|\\.)*)",(\d+),"(\d+)",/;

export function readHead(line: string): RecordHead | null {
  const match = HEAD.exec(line);
  if (match === null) return null;
  try {
    const path: unknown = JSON.parse(`"${match[1] ?? ''}"`);
    return typeof path === 'string' ? { path, size: Number(match[2]), mtimeNs: match[3] ?? '' } : null;
  } catch {
    return null;
  }
}

/** Null for a line that is none of ours: the index is a cache, and its file is built again. */
export function readRecord(line: string): FileRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (!Array.isArray(value)) return null;
  const [path, size, mtimeNs, length, symbols, terms] = value as readonly unknown[];
  if (typeof path !== 'string' || typeof size !== 'number' || typeof mtimeNs !== 'string') return null;
  if (typeof length !== 'number' || !Array.isArray(symbols) || typeof terms !== 'object' || terms === null)
    return null;
  return {
    path,
    size,
    mtimeNs,
    length,
    symbols: symbols.flatMap(readSymbol),
    terms: new Map(countsIn(terms)),
  };
}

function readSymbol(value: unknown): readonly CodeSymbol[] {
  if (!Array.isArray(value)) return [];
  const [name, kind, line] = value as readonly unknown[];
  if (typeof name !== 'string' || typeof kind !== 'string' || typeof line !== 'number') return [];
  // Written by recordLine; an unknown kind only is an odd word in a result.
  return [{ name, kind: kind as SymbolKind, line }];
}

function countsIn(terms: object): readonly (readonly [string, number])[] {
  return Object.entries(terms).flatMap(([term, count]: [string, unknown]) =>
    typeof count === 'number' ? [[term, count] as const] : [],
  );
}
