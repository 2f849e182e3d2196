import type {
  AuditHead,
  AuditLink,
  AuditReceipt,
  IndexedRow,
  PreparedRecord,
  SourceHead,
} from '@wrongstack/contracts/control';
import { EMPTY_AUDIT_HEAD, chainRecord } from '@wrongstack/contracts/control';
import type { Database, StoreKind } from '../schema.js';
import { rowOf } from './audit-rows.js';

/** SQLite binds at most 32,766 values in a statement; a row has 19. */
const ROWS_A_STATEMENT = 1_000;
const KEYS_A_STATEMENT = 1_000;

/** A batch whose records are text already; `receivedAt` by the server's clock. */
export interface PreparedBatch {
  readonly source: string;
  readonly receivedAt: string;
  readonly records: readonly PreparedRecord[];
}

/**
 * Appends batches in one go: the head is locked, what is known is left out, the rest is one insert, and sources and head are
 * moved. One receipt a batch.
 */
export async function appendRecords(
  db: Database,
  kind: StoreKind,
  batches: readonly PreparedBatch[],
): Promise<readonly AuditReceipt[]> {
  const head = await lockHead(db, kind);
  const names = [...new Set(batches.map(({ source }) => source))];
  const sources = await sourceHeads(db, names);
  const known = await knownRecords(db, batches, sources);
  const chain = new GrowingChain(head, sources, known);
  const receipts = batches.map((batch) => chain.take(batch));
  await insertRows(db, chain.rows);
  await moveSources(
    db,
    names.flatMap((name) => sources.get(name) ?? []),
  );
  if (chain.rows.length > 0) {
    await db.updateTable('audit_head').set(chain.head).where('id', '=', 1).execute();
  }
  return receipts.map((receipt) => ({ ...receipt, head: chain.head }));
}

/** Decides for each record, in order, whether it is new and how it stands to its source, and gives it its place. */
class GrowingChain {
  readonly rows: IndexedRow[] = [];

  constructor(
    public head: AuditHead,
    private readonly sources: Map<string, SourceHead>,
    private readonly known: Map<string, Set<string>>,
  ) {}

  take({ source, receivedAt, records }: PreparedBatch): AuditReceipt {
    const flagged: { sourceSeq: number; link: Exclude<AuditLink, 'continues'> }[] = [];
    const repeated: number[] = [];
    for (const record of records) {
      const { sourceSeq, sourceHash } = record;
      const hashes = this.hashesOf(source, sourceSeq);
      if (hashes.has(sourceHash)) {
        repeated.push(sourceSeq);
        continue;
      }
      const link = hashes.size > 0 ? 'conflict' : linkOf(record, this.sources.get(source));
      if (link !== 'continues') flagged.push({ sourceSeq, link });
      const row = chainRecord(record, link, receivedAt, this.head);
      this.rows.push(row);
      this.head = { seq: row.seq, hash: row.hash };
      hashes.add(sourceHash);
      // What comes late or contradicts does not move a source back.
      if (sourceSeq > (this.sources.get(source)?.seq ?? -1)) {
        this.sources.set(source, { source, seq: sourceSeq, hash: sourceHash });
      }
    }
    const duplicates = repeated.length;
    return { source, appended: records.length - duplicates, duplicates, repeated, flagged, head: this.head };
  }

  private hashesOf(source: string, seq: number): Set<string> {
    const name = placeOf(source, seq);
    const hashes = this.known.get(name) ?? new Set<string>();
    this.known.set(name, hashes);
    return hashes;
  }
}

function linkOf({ sourceSeq, sourcePrev }: PreparedRecord, before: SourceHead | undefined): AuditLink {
  if (sourceSeq !== (before?.seq ?? -1) + 1) return 'gap';
  return sourcePrev === (before?.hash ?? null) ? 'continues' : 'broken';
}

function placeOf(source: string, seq: number): string {
  return `${seq} ${source}`;
}

async function lockHead(db: Database, kind: StoreKind): Promise<AuditHead> {
  const query = db.selectFrom('audit_head').select(['seq', 'hash']).where('id', '=', 1);
  // On SQLite the whole transaction is alone.
  const head = await (kind === 'postgres' ? query.forUpdate() : query).executeTakeFirst();
  if (head !== undefined) return head;
  await db
    .insertInto('audit_head')
    .values({ id: 1, ...EMPTY_AUDIT_HEAD })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  return await lockHead(db, kind);
}

async function sourceHeads(db: Database, names: readonly string[]): Promise<Map<string, SourceHead>> {
  const rows = await db.selectFrom('audit_sources').selectAll().where('source', 'in', names).execute();
  return new Map(rows.map((row) => [row.source, row]));
}

/** Only numbers that a source has passed already can be known; in the usual case that is none. */
async function knownRecords(
  db: Database,
  batches: readonly PreparedBatch[],
  sources: ReadonlyMap<string, SourceHead>,
): Promise<Map<string, Set<string>>> {
  const known = new Map<string, Set<string>>();
  for (const { source, records } of batches) {
    const last = sources.get(source)?.seq ?? -1;
    const passed = records.map(({ sourceSeq }) => sourceSeq).filter((seq) => seq <= last);
    for (let start = 0; start < passed.length; start += KEYS_A_STATEMENT) {
      const rows = await db
        .selectFrom('audit_records')
        .select(['source_seq', 'source_hash'])
        .where('source', '=', source)
        .where('source_seq', 'in', passed.slice(start, start + KEYS_A_STATEMENT))
        .execute();
      for (const row of rows) {
        const name = placeOf(source, row.source_seq);
        known.set(name, (known.get(name) ?? new Set<string>()).add(row.source_hash));
      }
    }
  }
  return known;
}

async function insertRows(db: Database, rows: readonly IndexedRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT) {
    const values = rows.slice(start, start + ROWS_A_STATEMENT).map(rowOf);
    await db.insertInto('audit_records').values(values).execute();
  }
}

async function moveSources(db: Database, heads: readonly SourceHead[]): Promise<void> {
  for (let start = 0; start < heads.length; start += KEYS_A_STATEMENT) {
    await db
      .insertInto('audit_sources')
      .values(heads.slice(start, start + KEYS_A_STATEMENT))
      .onConflict((conflict) =>
        conflict.column('source').doUpdateSet((excluded) => ({
          seq: excluded.ref('excluded.seq'),
          hash: excluded.ref('excluded.hash'),
        })),
      )
      .execute();
  }
}
