import type { Compared, Page, PageRequest, ReplayFlip, ReplayJob } from '@wrongstack/contracts/control';
import { ReplayStore } from '@wrongstack/contracts/control';
import { fromJson, toJson } from '../json-column.js';
import { key, keyOrNull, pageLimit, pageOf, readCursor } from '../keys.js';
import { insertedNew, newestFirst } from '../records.js';
import type { ControlSchema, Database } from '../schema.js';
import type { StoreSession } from '../store-session.js';

type Moving = Pick<ReplayJob, 'state' | 'because' | 'progress' | 'endedAt'>;
type Fixed = Omit<ReplayJob, keyof Moving | 'etag'>;
const ROWS_A_STATEMENT = 1_000;

export class KyselyReplayStore extends ReplayStore {
  constructor(private readonly session: StoreSession) {
    super();
  }

  override async add(job: Omit<ReplayJob, 'etag'>): Promise<boolean> {
    const { state: _state, because: _because, progress: _progress, endedAt: _endedAt, ...rest } = job;
    const fixed: Fixed = rest;
    const values = {
      id: key('id', job.id),
      policy: key('policy', job.policy),
      state: job.state,
      created_at: key('createdAt', job.createdAt),
      etag: 1,
      fixed: toJson(fixed),
      moving: movingOf(job),
    };
    return await this.session.run((db) => insertedNew(db.insertInto('replays').values(values)));
  }

  override async get(id: string): Promise<ReplayJob | null> {
    return await this.session.run((db) => readJob(db, key('id', id)));
  }

  override async list(policy: string, page: PageRequest): Promise<Page<ReplayJob>> {
    return await this.session.run((db) => {
      const query = db.selectFrom('replays').selectAll().where('policy', '=', key('policy', policy));
      return newestFirst(query, page, jobOf);
    });
  }

  override async change(job: ReplayJob, ifEtag: number): Promise<Compared<ReplayJob>> {
    const id = key('id', job.id);
    return await this.session.run(async (db) => {
      const { numUpdatedRows } = await db
        .updateTable('replays')
        .set({ state: job.state, etag: ifEtag + 1, moving: movingOf(job) })
        .where('id', '=', id)
        .where('etag', '=', ifEtag)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 1n) return { ok: true };
      return { ok: false, reason: 'stale', current: await readJob(db, id) };
    });
  }

  override async unfinished(limit: number): Promise<readonly ReplayJob[]> {
    const most = pageLimit({ limit });
    const rows = await this.session.run((db) =>
      db
        .selectFrom('replays')
        .selectAll()
        .where('state', 'in', ['queued', 'running'])
        .orderBy('created_at')
        .orderBy('id')
        .limit(most)
        .execute(),
    );
    return rows.map(jobOf);
  }

  override async addFlips(id: string, flips: readonly ReplayFlip[]): Promise<void> {
    const rows = flips.map((flip) => ({
      replay: key('id', id),
      seq: flip.seq,
      team: keyOrNull('team', flip.team),
      tool: key('tool', flip.tool),
      body: toJson(flip),
    }));
    await this.session.atomically(async (db) => {
      for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT) {
        await db
          .insertInto('replay_flips')
          .values(rows.slice(start, start + ROWS_A_STATEMENT))
          .onConflict((conflict) => conflict.columns(['replay', 'seq']).doNothing())
          .execute();
      }
    });
  }

  override async flips(
    id: string,
    filter: { readonly team?: string; readonly tool?: string },
    page: PageRequest,
  ): Promise<Page<ReplayFlip>> {
    const limit = pageLimit(page);
    const after = readCursor(page, ['number']);
    const rows = await this.session.run((db) => {
      let query = db.selectFrom('replay_flips').select(['seq', 'body']).where('replay', '=', key('id', id));
      if (filter.team !== undefined) query = query.where('team', '=', key('team', filter.team));
      if (filter.tool !== undefined) query = query.where('tool', '=', key('tool', filter.tool));
      if (after !== null) query = query.where('seq', '>', after[0]);
      return query
        .orderBy('seq')
        .limit(limit + 1)
        .execute();
    });
    return pageOf(
      rows,
      limit,
      ({ body }) => fromJson<ReplayFlip>(body),
      ({ seq }) => [seq],
    );
  }
  override async flipCounts(
    id: string,
    limit: number,
  ): Promise<readonly { readonly team: string | null; readonly count: number }[]> {
    const most = pageLimit({ limit });
    const rows = await this.session.run((db) =>
      db
        .selectFrom('replay_flips')
        .select((build) => ['team', build.fn.countAll<number>().as('count')])
        .where('replay', '=', key('id', id))
        .groupBy('team')
        .orderBy('count', 'desc')
        .limit(most)
        .execute(),
    );
    return rows.map(({ team, count }) => ({ team, count })).sort(byCount);
  }
}

/** Largest first; among equals those without a team come first. */
function byCount(
  left: { readonly team: string | null; readonly count: number },
  right: { readonly team: string | null; readonly count: number },
): number {
  return right.count - left.count || ((left.team ?? '') < (right.team ?? '') ? -1 : 1);
}

function movingOf({ state, because, progress, endedAt }: Moving): string {
  const moving: Moving = { state, because, progress, endedAt };
  return toJson(moving);
}

function jobOf(row: Pick<ControlSchema['replays'], 'fixed' | 'moving' | 'etag'>): ReplayJob {
  return { ...fromJson<Fixed>(row.fixed), ...fromJson<Moving>(row.moving), etag: row.etag };
}

async function readJob(db: Database, id: string): Promise<ReplayJob | null> {
  const row = await db.selectFrom('replays').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : jobOf(row);
}
