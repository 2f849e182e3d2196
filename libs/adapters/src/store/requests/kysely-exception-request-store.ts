import type { ExceptionDecided, ExceptionRequest, Page, PageRequest } from '@wrongstack/contracts/control';
import { ExceptionRequestStore } from '@wrongstack/contracts/control';
import { fromJson, toJson } from '../json-column.js';
import { key } from '../keys.js';
import { insertedNew, newestFirst } from '../records.js';
import type { Database } from '../schema.js';
import type { StoreSession } from '../store-session.js';

type Filter = Parameters<ExceptionRequestStore['list']>[0];

export class KyselyExceptionRequestStore extends ExceptionRequestStore {
  constructor(private readonly session: StoreSession) {
    super();
  }

  override async add(request: Omit<ExceptionRequest, 'state'>): Promise<boolean> {
    const body: ExceptionRequest = { ...request, state: { is: 'pending' } };
    const values = {
      id: key('id', request.id),
      state: 'pending',
      requester: key('requester', request.requester),
      document: key('document', request.rule.document),
      created_at: key('createdAt', request.createdAt),
      body: toJson(body),
    };
    return await this.session.run((db) => insertedNew(db.insertInto('exception_requests').values(values)));
  }

  override async get(id: string): Promise<ExceptionRequest | null> {
    return await this.session.run((db) => readRequest(db, key('id', id)));
  }

  override async list(filter: Filter, page: PageRequest): Promise<Page<ExceptionRequest>> {
    return await this.session.run((db) => {
      let query = db.selectFrom('exception_requests').selectAll();
      const { state, requester, document } = filter;
      if (state !== undefined) query = query.where('state', '=', state);
      if (requester !== undefined) query = query.where('requester', '=', key('requester', requester));
      if (document !== undefined) query = query.where('document', '=', key('document', document));
      return newestFirst(query, page, ({ body }) => fromJson<ExceptionRequest>(body));
    });
  }

  override async decide(
    id: string,
    decision: Parameters<ExceptionRequestStore['decide']>[1],
  ): Promise<ExceptionDecided> {
    return await this.session.run(async (db) => {
      const request = await readRequest(db, key('id', id));
      if (request === null) return { ok: false, reason: 'unknown' };
      const decided: ExceptionRequest = { ...request, state: decision };
      // It leaves `pending` once, so that state is all there is to compare.
      const { numUpdatedRows } = await db
        .updateTable('exception_requests')
        .set({ state: decision.is, body: toJson(decided) })
        .where('id', '=', id)
        .where('state', '=', 'pending')
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 1n) return { ok: true, request: decided };
      return { ok: false, reason: 'already-decided', request: (await readRequest(db, id)) ?? request };
    });
  }
}

async function readRequest(db: Database, id: string): Promise<ExceptionRequest | null> {
  const row = await db
    .selectFrom('exception_requests')
    .select('body')
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : fromJson<ExceptionRequest>(row.body);
}
