import { WrongStackError } from '@wrongstack/contracts';
import type { RunId } from '@wrongstack/contracts';
import type { Compared, Page, PageRequest, ServerRun, ServerRunEvent } from '@wrongstack/contracts/control';
import { RunStore } from '@wrongstack/contracts/control';
import { fromJson, toJson } from '../json-column.js';
import { key, pageLimit } from '../keys.js';
import { insertedNew, newestFirst } from '../records.js';
import type { ControlSchema, Database } from '../schema.js';
import type { StoreSession } from '../store-session.js';

type Kept = Omit<ServerRun, 'etag'>;
type Filter = Parameters<RunStore['list']>[0];
const ROWS_A_STATEMENT = 1_000;

export class KyselyRunStore extends RunStore {
  constructor(private readonly session: StoreSession) {
    super();
  }

  override async add(run: Kept): Promise<boolean> {
    const values = {
      id: key('id', run.id),
      requester: key('requester', run.requester),
      state: run.state,
      created_at: key('createdAt', run.createdAt),
      last_event: 0,
      etag: 1,
      body: toJson(run),
    };
    return await this.session.run((db) => insertedNew(db.insertInto('server_runs').values(values)));
  }

  override async get(id: RunId): Promise<ServerRun | null> {
    return await this.session.run((db) => readRun(db, key('id', id)));
  }

  override async list(filter: Filter, page: PageRequest): Promise<Page<ServerRun>> {
    return await this.session.run((db) => {
      let query = db.selectFrom('server_runs').selectAll();
      const { requester, state } = filter;
      if (requester !== undefined) query = query.where('requester', '=', key('requester', requester));
      if (state !== undefined) query = query.where('state', '=', state);
      return newestFirst(query, page, runOf);
    });
  }

  override async change(run: ServerRun, ifEtag: number): Promise<Compared<ServerRun>> {
    const id = key('id', run.id);
    return await this.session.run(async (db) => {
      const before = await readRun(db, id);
      if (before?.etag !== ifEtag) return { ok: false, reason: 'stale', current: before };
      const { state, startedAt, endedAt, cancel, result } = run;
      const { etag: _, ...kept } = before;
      const body: Kept = { ...kept, state, startedAt, endedAt, cancel, result };
      const { numUpdatedRows } = await db
        .updateTable('server_runs')
        .set({ state, etag: ifEtag + 1, body: toJson(body) })
        .where('id', '=', id)
        .where('etag', '=', ifEtag)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 1n) return { ok: true };
      return { ok: false, reason: 'stale', current: await readRun(db, id) };
    });
  }

  override async appendEvents(id: RunId, events: readonly ServerRunEvent[]): Promise<boolean> {
    const run = key('id', id);
    const rows = events.map(({ seq, at, type, data }) => ({
      run,
      seq,
      at: key('at', at),
      type: toJson(type),
      data: toJson(data),
    }));
    const first = rows[0];
    if (first === undefined) return true;
    if (rows.some(({ seq }, index) => seq !== first.seq + index)) {
      throw new WrongStackError('store.bad_key', 'events must be numbered without gaps', { path: '/seq' });
    }
    return await this.session.atomically(async (db) => {
      const { numUpdatedRows } = await db
        .updateTable('server_runs')
        .set({ last_event: first.seq + rows.length - 1 })
        .where('id', '=', run)
        .where('last_event', '=', first.seq - 1)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows !== 1n) {
        if ((await readRun(db, run)) !== null) return false;
        throw new WrongStackError('store.unknown_parent', 'there is no such run');
      }
      for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT) {
        await db
          .insertInto('server_run_events')
          .values(rows.slice(start, start + ROWS_A_STATEMENT))
          .execute();
      }
      return true;
    });
  }

  override async lastEvent(id: RunId): Promise<number | null> {
    const run = key('id', id);
    return await this.session.run(async (db) => {
      const query = db.selectFrom('server_runs').select('last_event').where('id', '=', run);
      // On SQLite a transaction has the whole store already.
      const row = await query
        .$if(this.session.kind === 'postgres', (locked) => locked.forUpdate())
        .executeTakeFirst();
      return row?.last_event ?? null;
    });
  }

  override async events(id: RunId, afterSeq: number, limit: number): Promise<readonly ServerRunEvent[]> {
    const most = pageLimit({ limit });
    if (!Number.isSafeInteger(afterSeq)) {
      throw new WrongStackError('store.bad_cursor', 'afterSeq must be a whole number', { path: '/afterSeq' });
    }
    const rows = await this.session.run((db) =>
      db
        .selectFrom('server_run_events')
        .selectAll()
        .where('run', '=', key('id', id))
        .where('seq', '>', afterSeq)
        .orderBy('seq')
        .limit(most)
        .execute(),
    );
    return rows.map(({ seq, at, type, data }) => ({
      seq,
      at,
      type: fromJson<string>(type),
      data: fromJson<ServerRunEvent['data']>(data),
    }));
  }
}

function runOf(row: Pick<ControlSchema['server_runs'], 'body' | 'etag'>): ServerRun {
  return { ...fromJson<Kept>(row.body), etag: row.etag };
}

async function readRun(db: Database, id: string): Promise<ServerRun | null> {
  const row = await db
    .selectFrom('server_runs')
    .select(['body', 'etag'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : runOf(row);
}
