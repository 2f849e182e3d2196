import type {
  AuditBatch,
  AuditHead,
  AuditIndex,
  AuditReceipt,
  ChainedRecord,
  IndexedRow,
  SourceHead,
} from './audit-records.js';
import type { Page, PageRequest } from './paging.js';

/** All that are given must hold; text is compared as the index keeps it. Times: ISO 8601 in UTC with milliseconds, `from` inclusive, `to` exclusive. */
export interface AuditFilter {
  readonly kind?: AuditIndex['kind'];
  readonly actor?: string;
  readonly agent?: string;
  readonly team?: string;
  readonly session?: string;
  readonly tool?: string;
  readonly verdict?: AuditIndex['verdict'] & string;
  readonly rule?: string;
  readonly document?: string;
  readonly revision?: number;
  readonly source?: string;
  /** Only records that did not continue their source's chain. */
  readonly flagged?: true;
  readonly from?: string;
  readonly to?: string;
  /** Place in the chain, exclusive: what was appended after the last look. */
  readonly afterSeq?: number;
  /** Place in the chain, inclusive. */
  readonly throughSeq?: number;
}

export const AUDIT_GROUPS = [
  'kind',
  'actor',
  'agent',
  'team',
  'tool',
  'verdict',
  'rule',
  'document',
  'revision',
] as const;
export type AuditGroup = (typeof AUDIT_GROUPS)[number];

export interface AuditCount {
  /** One value a group that was asked for. */
  readonly by: Readonly<Partial<Record<AuditGroup, string | number | null>>>;
  readonly count: number;
}

export interface StreamOptions {
  readonly filter?: AuditFilter;
  readonly signal: AbortSignal;
  /** Rows a piece; 1,000 by default. */
  readonly batch?: number;
}

/** The organisation's one chain of what happened. Rows are added and never changed. */
export abstract class AuditStore {
  /**
   * Takes records in once: those that are known (source, number and hash) are acknowledged again, the rest is appended in the
   * order given. Resolves when it is durable. Outside of a transaction, batches that wait at the same time share one.
   */
  abstract append(batch: AuditBatch, receivedAt: string): Promise<AuditReceipt>;
  abstract head(): Promise<AuditHead>;
  abstract sourceHead(source: string): Promise<SourceHead | null>;
  abstract get(seq: number): Promise<ChainedRecord | null>;
  /** Newest first. */
  abstract search(filter: AuditFilter, page: PageRequest): Promise<Page<ChainedRecord>>;
  /**
   * In chain order, up to the head at the first piece, in pieces, with memory that does not grow. Holds no transaction and no
   * connection between pieces.
   */
  abstract stream(options: StreamOptions): AsyncIterable<readonly IndexedRow[]>;
  /** Largest count first, at most `limit` groups. */
  abstract counts(
    filter: AuditFilter,
    by: readonly AuditGroup[],
    limit: number,
  ): Promise<readonly AuditCount[]>;
}
