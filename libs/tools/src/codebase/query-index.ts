import { IndexFile } from './index-file.js';
import { readRecord, type FileRecord } from './index-record.js';
import type { SymbolKind } from './code-symbol.js';
import { termsOf } from './terms.js';

export interface SymbolHit {
  readonly path: string;
  readonly name: string;
  readonly kind: SymbolKind;
  readonly line: number;
}

export interface TextHit {
  readonly path: string;
  readonly score: number;
}

export interface QueryOptions {
  readonly limit: number;
  /** Only files below it; empty = all. */
  readonly prefix: string;
  readonly signal: AbortSignal;
}

/** Beyond it a name says too little: more would not be looked at. */
const MOST_SYMBOL_HITS = 5000;

const inside = (path: string, prefix: string): boolean =>
  prefix === '' || path === prefix || path.startsWith(`${prefix}/`);

/** Symbols whose name is, starts with or holds the wanted one, in this order; upper and lower case are the same. */
export async function findSymbols(
  index: IndexFile,
  wanted: string,
  options: QueryOptions,
): Promise<{ readonly hits: readonly SymbolHit[]; readonly total: number }> {
  const key = wanted.toLowerCase();
  const hits: (SymbolHit & { readonly rank: number })[] = [];
  for await (const { text } of index.lines()) {
    options.signal.throwIfAborted();
    // Most lines are passed by without being parsed.
    if (!text.toLowerCase().includes(key)) continue;
    const record = readRecord(text);
    if (record === null || !inside(record.path, options.prefix)) continue;
    for (const symbol of record.symbols) {
      const rank = rankOf(symbol.name.toLowerCase(), key);
      if (rank !== null && hits.length < MOST_SYMBOL_HITS) hits.push({ path: record.path, ...symbol, rank });
    }
  }
  hits.sort(
    (left, right) => left.rank - right.rank || compare(left.path, right.path) || left.line - right.line,
  );
  return {
    hits: hits.slice(0, options.limit).map(({ path, name, kind, line }) => ({ path, name, kind, line })),
    total: hits.length,
  };
}

function rankOf(name: string, key: string): number | null {
  if (name === key) return 0;
  if (name.startsWith(key)) return 1;
  return name.includes(key) ? 2 : null;
}

interface Candidate {
  readonly path: string;
  readonly length: number;
  readonly counts: readonly number[];
  /** Which of the words the file declares. */
  readonly declares: readonly boolean[];
}

const K1 = 1.2;
const B = 0.75;

/** Files by BM25 over the words of the query; a file that declares a word counts as much more about it. */
export async function rankFiles(
  index: IndexFile,
  query: string,
  options: QueryOptions,
): Promise<{ readonly hits: readonly TextHit[]; readonly total: number; readonly words: readonly string[] }> {
  const words = [...termsOf(query).counts.keys()];
  const keys = words.map((word) => `${JSON.stringify(word)}:`);
  const candidates: Candidate[] = [];
  let files = 0;
  let totalLength = 0;
  for await (const { text } of index.lines()) {
    options.signal.throwIfAborted();
    files += 1;
    totalLength += lengthIn(text);
    if (!keys.some((key) => text.includes(key))) continue;
    const record = readRecord(text);
    if (record !== null && inside(record.path, options.prefix)) candidates.push(candidateOf(record, words));
  }
  const rarity = words.map((_, word) => {
    const holding = candidates.filter(({ counts }) => (counts[word] ?? 0) > 0).length;
    return Math.log(1 + (files - holding + 0.5) / (holding + 0.5));
  });
  const average = totalLength / Math.max(files, 1);
  const hits = candidates
    .map((candidate) => ({ path: candidate.path, score: scoreOf(candidate, rarity, average) }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score || compare(left.path, right.path));
  return { hits: hits.slice(0, options.limit), total: hits.length, words };
}

const LENGTH = /^\["(?:[^"\\]|\\.)*",\d+,"\d+",(\d+),/;

function lengthIn(line: string): number {
  return Number(LENGTH.exec(line)?.[1] ?? 0);
}

function candidateOf(record: FileRecord, words: readonly string[]): Candidate {
  const declared = new Set(record.symbols.map(({ name }) => name.toLowerCase()));
  return {
    path: record.path,
    length: record.length,
    counts: words.map((word) => record.terms.get(word) ?? 0),
    declares: words.map((word) => declared.has(word)),
  };
}

function scoreOf(
  { counts, declares, length }: Candidate,
  rarity: readonly number[],
  average: number,
): number {
  const norm = K1 * (1 - B + (B * length) / Math.max(average, 1));
  return counts.reduce((score, count, word) => {
    const weight = rarity[word] ?? 0;
    const text = (weight * count * (K1 + 1)) / (count + norm);
    return score + text + (declares[word] === true ? 2 * weight : 0);
  }, 0);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
