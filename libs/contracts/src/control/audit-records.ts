import type { AuditEntry } from '../audit.js';
import type { Verdict } from '../decision.js';

export const AUDIT_KINDS = [
  'decision',
  'recheck',
  'approval',
  'outcome',
  'grant',
  'gap',
  'note',
] as const satisfies readonly AuditEntry['kind'][];

/**
 * How a shipped record stands to the source's record before it. Whatever it is, the record is kept.
 * `gap`: records between are missing. `broken`: its `prev` is not the hash that is known. `conflict`: the source has shipped
 * another record under this number.
 */
export const AUDIT_LINKS = ['continues', 'gap', 'broken', 'conflict'] as const;
export type AuditLink = (typeof AUDIT_LINKS)[number];

/**
 * What records are searched and counted by. Part of what is hashed. In the store, text is cut to 512 characters, and what is not
 * well-formed Unicode, and NUL, is U+FFFD: a record is never refused for its text. The entry keeps it as it was.
 */
export interface AuditIndex {
  readonly kind: AuditEntry['kind'];
  /** The entry's own time. */
  readonly at: string;
  /** Who it was done for, as authenticated by the server. */
  readonly actor: string | null;
  readonly agent: string | null;
  readonly team: string | null;
  readonly session: string | null;
  readonly tool: string | null;
  readonly verdict: Verdict | null;
  /** The determining rule, and the document and revision that it stands in. */
  readonly rule: string | null;
  readonly document: string | null;
  readonly revision: number | null;
}

/** One record of a client's own chain, verified against its own hash by the caller. */
export interface ShippedRecord {
  /** From 0 in its source. */
  readonly seq: number;
  /** Hash of the source's record before; null for its first. */
  readonly prev: string | null;
  readonly hash: string;
  readonly index: AuditIndex;
  readonly entry: AuditEntry;
}

/** `source`: one writing process of one agent, `<agent>/<chain>`. */
export interface AuditBatch {
  readonly source: string;
  readonly records: readonly ShippedRecord[];
}

/** What the server adds to a shipped record; with it, this is what the organisation's chain holds. */
export interface ChainedContent {
  readonly v: 1;
  /** From 1, without gaps. */
  readonly seq: number;
  readonly source: string;
  readonly sourceSeq: number;
  readonly sourceHash: string;
  readonly link: AuditLink;
  readonly receivedAt: string;
  readonly index: AuditIndex;
  readonly entry: AuditEntry;
}

/** One row. `body`: the canonical JSON of its content, letter by letter what was hashed. */
export interface ChainedRow {
  readonly seq: number;
  readonly body: string;
  /** sha256 over the hash of the row before and the body, lower-case hex. */
  readonly hash: string;
}

/** A row with its columns, which repeat parts of the body so that they can be searched. */
export interface IndexedRow extends ChainedRow, Omit<ChainedContent, 'v' | 'seq' | 'entry'> {}

export interface ChainedRecord extends ChainedContent {
  readonly hash: string;
}

/** The end of the organisation's chain; seq 0 with the hash of nothing while it is empty. */
export interface AuditHead {
  readonly seq: number;
  readonly hash: string;
}

/** How far a source has got, by what was taken in: its highest number and that record's hash. */
export interface SourceHead {
  readonly source: string;
  readonly seq: number;
  readonly hash: string;
}

export interface AuditReceipt {
  readonly source: string;
  readonly appended: number;
  /** Known already, record for record: acknowledged again. */
  readonly duplicates: number;
  /** The numbers of those, so that what is counted with an append is counted once. */
  readonly repeated: readonly number[];
  /** Those that did not continue their source's chain. */
  readonly flagged: readonly { readonly sourceSeq: number; readonly link: Exclude<AuditLink, 'continues'> }[];
  readonly head: AuditHead;
}
