import {
  anyObject,
  closed,
  digest,
  flag,
  list,
  open,
  orNull,
  page,
  text,
  time,
  whole,
} from './schema-parts.js';

// Decisions on their way from a client's own chained log to the organisation's chain.

/** Records of one batch, and bytes of its body, at most. */
export const MAX_BATCH_RECORDS = 500;
export const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/**
 * One line of the client's log without what the batch says already. Its hash covers
 * `canonicalJson({ v: 1, chain: source, seq, prev, entry })`, where `prev` is the hash of the record before (null for 0),
 * so the server can check that the chain continues.
 */
export interface ShippedRecord {
  readonly seq: number;
  readonly hash: string;
  readonly entry: object;
}

/** `POST /v1/audit/batches`: 200 with `BatchReceipt`, also where all of it was there already. */
export interface AuditBatch {
  /** The chain: `a-…`, one for each process that wrote. */
  readonly source: string;
  /** `seq` of the first record; the others follow without gaps. */
  readonly first: number;
  /** Hash of the record before `first`; null for 0. */
  readonly prev: string | null;
  readonly records: readonly ShippedRecord[];
}

export const auditBatchSchema = closed({
  source: { type: 'string', pattern: '^a-[a-z0-9]{4,64}$' },
  first: whole(0),
  prev: orNull(digest),
  records: {
    ...list(closed({ seq: whole(0), hash: digest, entry: anyObject }), MAX_BATCH_RECORDS),
    minItems: 1,
  },
});

export interface BatchReceipt {
  readonly source: string;
  /** Every record up to this one is committed. */
  readonly acknowledged: number;
  /** How many of the batch were there already. */
  readonly duplicates: number;
  /** The source's chain does not continue; what was sent was taken in all the same. */
  readonly flagged: boolean;
}

export const batchReceiptSchema = open({
  source: text(100),
  acknowledged: whole(0),
  duplicates: whole(0),
  flagged: flag,
});

/** One row of the organisation's chain. */
export interface AuditRecordView {
  /** Of the organisation's chain, from 1. */
  readonly seq: number;
  readonly hash: string;
  readonly source: string;
  readonly sourceSeq: number;
  readonly actor: string;
  readonly receivedAt: string;
  readonly flagged: boolean;
  readonly entry: object;
}

export const auditRecordViewSchema = open({
  seq: whole(1),
  hash: text(71),
  source: text(100),
  sourceSeq: whole(0),
  actor: text(200),
  receivedAt: time,
  flagged: flag,
  entry: anyObject,
});

/** `GET /v1/audit/records?actor=&tool=&verdict=&rule=&from=&to=&cursor=&limit=`, newest first. */
export interface AuditSearch {
  readonly actor?: string;
  readonly tool?: string;
  readonly verdict?: string;
  readonly rule?: string;
  /** Inclusive, ISO 8601. */
  readonly from?: string;
  /** Exclusive. */
  readonly to?: string;
}

export const auditRecordPageSchema = page(auditRecordViewSchema);

/** `GET /v1/audit/verify`. */
export interface ChainReport {
  readonly ok: boolean;
  readonly records: number;
  /** The first row that does not fit; null when all do. */
  readonly brokenAt: number | null;
  readonly reason: string | null;
  /** Sources whose own chain did not continue. */
  readonly flaggedSources: readonly string[];
}

export const chainReportSchema = open({
  ok: flag,
  records: whole(0),
  brokenAt: orNull(whole(1)),
  reason: orNull(text(500)),
  flaggedSources: list(text(100), 10_000),
});
