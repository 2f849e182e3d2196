import type { AuditIndex, AuditLink, ChainedRecord, IndexedRow } from '@wrongstack/contracts/control';
import { readChained } from '@wrongstack/contracts/control';
import type { AuditRecords } from '../schema.js';

export function rowOf({ index, ...row }: IndexedRow): AuditRecords {
  return {
    seq: row.seq,
    hash: row.hash,
    source: row.source,
    source_seq: row.sourceSeq,
    source_hash: row.sourceHash,
    link: row.link,
    received_at: row.receivedAt,
    ...index,
    body: row.body,
  };
}

/** What a row's columns say, true or not: a verifier compares them with the body. */
export function indexedOf(row: AuditRecords): IndexedRow {
  const { kind, at, actor, agent, team, session, tool, verdict, rule, document, revision } = row;
  return {
    seq: row.seq,
    hash: row.hash,
    body: row.body,
    source: row.source,
    sourceSeq: row.source_seq,
    sourceHash: row.source_hash,
    // Written from these very types; what somebody else wrote there is found by comparing.
    link: row.link as AuditLink,
    receivedAt: row.received_at,
    index: { kind, at, actor, agent, team, session, tool, verdict, rule, document, revision } as AuditIndex,
  };
}

export function recordOf(row: Pick<AuditRecords, 'seq' | 'hash' | 'body'>): ChainedRecord {
  return readChained(row);
}
