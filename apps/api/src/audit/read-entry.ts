import { type AuditEntry, canonicalJson, sha256, VERDICTS } from '@wrongstack/contracts';
import { AUDIT_KINDS, type ShippedRecord } from '@wrongstack/contracts/control';
import type { AuditIdentity } from '@wrongstack/contracts/control';
import { auditIndexOf } from '@wrongstack/contracts/control';
import type { AuditBatch } from '@wrongstack/contracts/wire';
import { ApiProblem } from '../errors/api-problem.js';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * The records of a batch with what they are searched by, made from who shipped them and never from what they say about that. Throws a 422
 * problem that names the record: `audit.gap`, `audit.bad_hash`, `audit.bad_entry`.
 */
export function readBatch({ source, first, prev, records }: AuditBatch, who: AuditIdentity): ShippedRecord[] {
  let before = prev;
  return records.map(({ seq, hash, entry: sent }, at) => {
    if (seq !== first + at) throw refused('gap', seq, `comes where ${first + at} should`);
    const entry = readEntry(sent);
    if (entry === null) throw refused('bad_entry', seq, 'is no audit entry');
    if (hash !== hashOf(source, seq, before, sent))
      throw refused('bad_hash', seq, 'does not have the hash that it says');
    const record = { seq, prev: before, hash, index: auditIndexOf(entry, who), entry };
    before = hash;
    return record;
  });
}

/** As the client's own log computes it. */
export function hashOf(chain: string, seq: number, prev: string | null, entry: unknown): string {
  return sha256(canonicalJson({ v: 1, chain, seq, prev, entry }));
}

function refused(code: string, seq: number, what: string): ApiProblem {
  return new ApiProblem(422, `audit.${code}`, `record ${seq} ${what}`);
}

/** Enough of the shape to index it; the rest is kept as it came. */
function readEntry(value: object): AuditEntry | null {
  const { kind, ts, session, run, call, decision } = value as Readonly<Record<string, unknown>>;
  const isText = (text: unknown): boolean => text === null || typeof text === 'string';
  if (!AUDIT_KINDS.some((one) => one === kind)) return null;
  if (typeof ts !== 'string' || !TIME.test(ts) || Number.isNaN(Date.parse(ts))) return null;
  if (![session, run, call].every(isText)) return null;
  if (decision !== undefined && !isDecision(decision)) return null;
  // Its fields that anything here reads were just looked at.
  return value as AuditEntry;
}

function isDecision(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { verdict, by, facts, matches } = value;
  if (!VERDICTS.some((one) => one === verdict)) return false;
  if (!isObject(facts) || typeof facts['tool'] !== 'string') return false;
  if (!isObject(by) || typeof by['kind'] !== 'string' || typeof by['id'] !== 'string') return false;
  const { document, revision } = by;
  if (document !== undefined && typeof document !== 'string') return false;
  if (revision !== undefined && !Number.isSafeInteger(revision)) return false;
  return matches === undefined || (Array.isArray(matches) && matches.every(isObject));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
