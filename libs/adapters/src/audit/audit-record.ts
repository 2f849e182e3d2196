import type { AuditEntry } from '@wrongstack/contracts';
import { canonicalJson, sha256 } from '@wrongstack/contracts';

/** One line of an audit file. */
export interface AuditRecord {
  readonly v: 1;
  /** One chain per writing process. */
  readonly chain: string;
  /** From 0, without gaps, across files. */
  readonly seq: number;
  /** Hash of the record before it in the chain; null for the first. */
  readonly prev: string | null;
  readonly entry: AuditEntry;
  /** Over the canonical JSON of all the other fields. */
  readonly hash: string;
}

/** How far a chain has got; kept beside it, so that records missing from its end are noticed. */
export interface ChainHead {
  readonly chain: string;
  readonly seq: number;
  readonly hash: string;
}

/**
 * A record and its line in the file. Canonical on disk too: what is hashed is, letter by letter, what is written, and so the
 * entry is written out once for both.
 */
export function sealRecord(unsealed: Omit<AuditRecord, 'hash'>): {
  readonly record: AuditRecord;
  readonly line: string;
} {
  const { v, chain, seq, prev, entry } = unsealed;
  const head = `{"chain":${canonicalJson(chain)},"entry":${canonicalJson(entry)}`;
  const tail = `"prev":${canonicalJson(prev)},"seq":${seq},"v":${v}}`;
  const hash = sha256(`${head},${tail}`);
  return { record: { ...unsealed, hash }, line: `${head},"hash":"${hash}",${tail}\n` };
}

export function hashOf({ v, chain, seq, prev, entry }: Omit<AuditRecord, 'hash'>): string {
  return sha256(canonicalJson({ v, chain, seq, prev, entry }));
}

export function parseRecord(bytes: Buffer): AuditRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { v, chain, seq, prev, entry, hash } = value as Record<string, unknown>;
  const wellFormed =
    v === 1 &&
    typeof chain === 'string' &&
    Number.isSafeInteger(seq) &&
    (prev === null || typeof prev === 'string') &&
    typeof entry === 'object' &&
    entry !== null &&
    typeof hash === 'string';
  // The entry's own fields are covered by the hash; verifying does not read them.
  return wellFormed ? (value as unknown as AuditRecord) : undefined;
}

/** `2026-11-30.a-x1y2….0003.jsonl`: sorted by name, the files of a chain are in order. */
export function auditFileName(day: string, chain: string, part: number): string {
  return `${day}.${chain}.${String(part).padStart(4, '0')}.jsonl`;
}

export function parseAuditFileName(
  name: string,
): { readonly chain: string; readonly part: number } | undefined {
  const match = /^\d{4}-\d{2}-\d{2}\.(a-[a-z0-9]+)\.(\d{4,})\.jsonl$/.exec(name);
  return match?.[1] === undefined ? undefined : { chain: match[1], part: Number(match[2]) };
}

export function headFileName(chain: string): string {
  return `${chain}.head`;
}
