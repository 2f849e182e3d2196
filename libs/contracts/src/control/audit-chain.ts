import { createHash } from 'node:crypto';
import { canonicalJson } from '../canonical-json.js';
import { plainIndex } from './audit-index.js';
import type {
  AuditHead,
  AuditIndex,
  AuditLink,
  ChainedContent,
  ChainedRow,
  IndexedRow,
  ShippedRecord,
} from './audit-records.js';

export const EMPTY_AUDIT_HEAD: AuditHead = { seq: 0, hash: '0'.repeat(64) };

/** hash = sha256(hash before + body), lower-case hex. */
export function chainHash(before: string, body: string): string {
  return createHash('sha256').update(before).update(body).digest('hex');
}

/**
 * A record without its place in the chain, its content as text. Made before the chain is locked, since it is most of the work.
 */
export interface PreparedRecord {
  readonly source: string;
  readonly sourceSeq: number;
  readonly sourceHash: string;
  readonly sourcePrev: string | null;
  readonly index: AuditIndex;
  readonly entryText: string;
  readonly indexText: string;
}

/** Throws `json.not_serialisable` for what JSON cannot hold. */
export function prepareRecord(source: string, record: ShippedRecord): PreparedRecord {
  const index = plainIndex(record.index);
  return {
    source,
    sourceSeq: record.seq,
    sourceHash: record.hash,
    sourcePrev: record.prev,
    index,
    entryText: canonicalJson(record.entry),
    indexText: canonicalJson(index),
  };
}

/** The record in its place. Its body equals, letter by letter, `canonicalJson` of its `ChainedContent`. */
export function chainRecord(
  prepared: PreparedRecord,
  link: AuditLink,
  receivedAt: string,
  head: AuditHead,
): IndexedRow {
  const { source, sourceSeq, sourceHash, index, indexText } = prepared;
  const seq = head.seq + 1;
  const columns = { seq, source, sourceSeq, sourceHash, link, receivedAt };
  const body = `{"entry":${prepared.entryText},${endOfBody(columns, indexText)}`;
  return { ...columns, index, body, hash: chainHash(head.hash, body) };
}

/** All of a body behind its entry. */
function endOfBody(columns: Omit<IndexedRow, 'index' | 'body' | 'hash'>, indexText: string): string {
  const { seq, source, sourceSeq, sourceHash, link, receivedAt } = columns;
  const rest = canonicalJson({ link, receivedAt, seq, source, sourceHash, sourceSeq, v: 1 });
  return `"index":${indexText},${rest.slice(1)}`;
}

/** What an intact row says. Only for rows of the store: their text was written by `chainRecord`. */
export function readChained({ body, hash }: ChainedRow): ChainedContent & { readonly hash: string } {
  // Written by chainRecord from a ChainedContent.
  return { ...(JSON.parse(body) as ChainedContent), hash };
}

export type ChainProblem =
  | { readonly kind: 'missing'; readonly seq: number }
  | { readonly kind: 'edited'; readonly seq: number }
  /** The columns that are searched say something else than the record itself. */
  | { readonly kind: 'index'; readonly seq: number }
  /** The chain ends elsewhere than its head says. */
  | { readonly kind: 'head'; readonly seq: number };

/** Follows a chain row by row: give each row in order, then `end`. Each problem is reported once, where it begins. */
export class ChainVerifier {
  #before: AuditHead;
  #checked = 0;

  /** `from`: a head that is trusted already; the chain's beginning by default. */
  constructor(from: AuditHead = EMPTY_AUDIT_HEAD) {
    this.#before = from;
  }

  get checked(): number {
    return this.#checked;
  }

  /** With columns, those are compared as well. */
  next(row: ChainedRow | IndexedRow): ChainProblem | null {
    const problem = this.problemOf(row);
    this.#before = { seq: row.seq, hash: row.hash };
    this.#checked += 1;
    return problem;
  }

  end(head: AuditHead): ChainProblem | null {
    const { seq, hash } = this.#before;
    return seq === head.seq && hash === head.hash ? null : { kind: 'head', seq: Math.min(seq, head.seq) + 1 };
  }

  private problemOf(row: ChainedRow | IndexedRow): ChainProblem | null {
    const seq = this.#before.seq + 1;
    if (row.seq !== seq) return { kind: 'missing', seq };
    if (row.hash !== chainHash(this.#before.hash, row.body)) return { kind: 'edited', seq };
    if ('index' in row && !row.body.endsWith(endOfBody(row, canonicalJson(row.index))))
      return { kind: 'index', seq };
    return null;
  }
}
