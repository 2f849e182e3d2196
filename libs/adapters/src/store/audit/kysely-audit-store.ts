import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  AuditBatch,
  AuditCount,
  AuditFilter,
  AuditGroup,
  AuditHead,
  AuditReceipt,
  ChainedRecord,
  IndexedRow,
  Page,
  PageRequest,
  SourceHead,
  StreamOptions,
} from '@wrongstack/contracts/control';
import { AuditStore, EMPTY_AUDIT_HEAD, prepareRecord } from '@wrongstack/contracts/control';
import { WrongStackError } from '@wrongstack/contracts';
import { key, pageLimit, pageOf, readCursor } from '../keys.js';
import type { StoreSession } from '../store-session.js';
import type { AppendQueue } from './append-queue.js';
import { appendRecords } from './append-records.js';
import { filtered } from './audit-filter.js';
import { indexedOf, recordOf } from './audit-rows.js';

const STREAM_BATCH = 1_000;

export class KyselyAuditStore extends AuditStore {
  /** `queue`: where appends share commits; without it they belong to the transaction around. */
  constructor(
    private readonly session: StoreSession,
    private readonly queue?: AppendQueue,
  ) {
    super();
  }

  override async append({ source, records }: AuditBatch, receivedAt: string): Promise<AuditReceipt> {
    key('source', source);
    for (const { seq, hash } of records) {
      key('hash', hash);
      if (!Number.isSafeInteger(seq) || seq < 0) {
        throw new WrongStackError('store.bad_key', 'seq must be a whole number from 0', { path: '/seq' });
      }
    }
    if (records.length === 0)
      return { source, appended: 0, duplicates: 0, repeated: [], flagged: [], head: await this.head() };
    const batch = { source, receivedAt, records: records.map((record) => prepareRecord(source, record)) };
    if (this.queue !== undefined) return await this.queue.append(batch);
    const { kind } = this.session;
    const [receipt] = await this.session.atomically((db) => appendRecords(db, kind, [batch]));
    if (receipt === undefined) throw new WrongStackError('store.failed', 'an append gave no receipt');
    return receipt;
  }

  override async head(): Promise<AuditHead> {
    const row = await this.session.run((db) =>
      db.selectFrom('audit_head').select(['seq', 'hash']).where('id', '=', 1).executeTakeFirst(),
    );
    return row === undefined ? EMPTY_AUDIT_HEAD : { seq: row.seq, hash: row.hash };
  }

  override async sourceHead(source: string): Promise<SourceHead | null> {
    const row = await this.session.run((db) =>
      db
        .selectFrom('audit_sources')
        .selectAll()
        .where('source', '=', key('source', source))
        .executeTakeFirst(),
    );
    return row === undefined ? null : { source: row.source, seq: row.seq, hash: row.hash };
  }

  override async get(seq: number): Promise<ChainedRecord | null> {
    if (!Number.isSafeInteger(seq)) return null;
    const row = await this.session.run((db) =>
      db
        .selectFrom('audit_records')
        .select(['seq', 'hash', 'body'])
        .where('seq', '=', seq)
        .executeTakeFirst(),
    );
    return row === undefined ? null : recordOf(row);
  }

  override async search(filter: AuditFilter, page: PageRequest): Promise<Page<ChainedRecord>> {
    const limit = pageLimit(page);
    const before = readCursor(page, ['number']);
    const rows = await this.session.run((db) => {
      const query = filtered(db.selectFrom('audit_records').select(['seq', 'hash', 'body']), filter);
      return (before === null ? query : query.where('seq', '<', before[0]))
        .orderBy('seq', 'desc')
        .limit(limit + 1)
        .execute();
    });
    return pageOf(rows, limit, recordOf, ({ seq }) => [seq]);
  }

  override async *stream(options: StreamOptions): AsyncIterable<readonly IndexedRow[]> {
    const { filter = {}, signal, batch = STREAM_BATCH } = options;
    const size = pageLimit({ limit: batch });
    const end = Math.min(filter.throughSeq ?? Infinity, (await this.head()).seq);
    // By places and not by rows found: each piece is a bounded piece of work, however little of it passes the filter.
    for (let after = filter.afterSeq ?? 0; after < end; after += size) {
      signal.throwIfAborted();
      const window = { ...filter, afterSeq: after, throughSeq: Math.min(after + size, end) };
      const rows = await this.session.run((db) =>
        filtered(db.selectFrom('audit_records').selectAll(), window).orderBy('seq').execute(),
      );
      if (rows.length > 0) yield rows.map(indexedOf);
      // SQLite answers in this very thread: let the others have their turn.
      await nextTurn();
    }
  }

  override async counts(
    filter: AuditFilter,
    by: readonly AuditGroup[],
    limit: number,
  ): Promise<readonly AuditCount[]> {
    const most = pageLimit({ limit });
    const groups = [...new Set(by)];
    const rows = await this.session.run((db) =>
      filtered(
        db
          .selectFrom('audit_records')
          .select((build) => build.fn.countAll<number>().as('count'))
          .select(groups),
        filter,
      )
        .$if(groups.length > 0, (query) => query.groupBy(groups))
        .orderBy('count', 'desc')
        .limit(most)
        .execute(),
    );
    return rows.map(({ count, ...values }) => ({ by: values, count }));
  }
}
