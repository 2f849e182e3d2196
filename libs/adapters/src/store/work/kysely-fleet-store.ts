import type {
  BundleRevision,
  FleetFilter,
  FleetGroup,
  Heartbeat,
  Page,
  PageRequest,
} from '@wrongstack/contracts/control';
import { FleetStore } from '@wrongstack/contracts/control';
import type { SelectQueryBuilder } from 'kysely';
import { fromJson, toJson } from '../json-column.js';
import { key, keyOrNull, pageLimit, pageOf, readCursor } from '../keys.js';
import { highestReported, isAbove } from '../policies/kysely-bundle-revision-store.js';
import type { ControlSchema, Database } from '../schema.js';
import type { StoreSession } from '../store-session.js';

const ROWS_A_STATEMENT = 1_000;
const GROUP_COLUMNS = {
  version: ['version'],
  policyState: ['policy_state'],
  team: ['team'],
  revision: ['epoch', 'revision'],
} as const;

type FleetQuery<Output> = SelectQueryBuilder<ControlSchema, 'heartbeats', Output>;

export class KyselyFleetStore extends FleetStore {
  constructor(private readonly session: StoreSession) {
    super();
  }

  override async record(heartbeats: readonly Heartbeat[]): Promise<void> {
    const rows = newestOfEach(heartbeats).map(rowOf);
    if (rows.length === 0) return;
    await this.session.atomically(async (db) => {
      for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT) {
        await db
          .insertInto('heartbeats')
          .values(rows.slice(start, start + ROWS_A_STATEMENT))
          .onConflict((conflict) =>
            conflict
              .column('agent')
              .doUpdateSet((build) => ({
                team: build.ref('excluded.team'),
                at: build.ref('excluded.at'),
                version: build.ref('excluded.version'),
                epoch: build.ref('excluded.epoch'),
                revision: build.ref('excluded.revision'),
                policy_state: build.ref('excluded.policy_state'),
                spooled: build.ref('excluded.spooled'),
                clock_skew_ms: build.ref('excluded.clock_skew_ms'),
                body: build.ref('excluded.body'),
              }))
              .whereRef('excluded.at', '>=', 'heartbeats.at'),
          )
          .execute();
      }
      await raiseHighest(db, heartbeats);
    });
  }

  override async get(agent: string): Promise<Heartbeat | null> {
    const row = await this.session.run((db) =>
      db.selectFrom('heartbeats').select('body').where('agent', '=', key('agent', agent)).executeTakeFirst(),
    );
    return row === undefined ? null : fromJson<Heartbeat>(row.body);
  }

  override async list(filter: FleetFilter, page: PageRequest): Promise<Page<Heartbeat>> {
    const limit = pageLimit(page);
    const after = readCursor(page, ['string']);
    const rows = await this.session.run((db) => {
      const query = filtered(db.selectFrom('heartbeats').select(['agent', 'body']), filter);
      return (after === null ? query : query.where('agent', '>', after[0]))
        .orderBy('agent')
        .limit(limit + 1)
        .execute();
    });
    return pageOf(
      rows,
      limit,
      ({ body }) => fromJson<Heartbeat>(body),
      ({ agent }) => [agent],
    );
  }

  override async counts(
    by: FleetGroup,
    filter: FleetFilter,
  ): Promise<readonly { readonly value: string | null; readonly count: number }[]> {
    const columns = GROUP_COLUMNS[by];
    const rows = await this.session.run((db) =>
      filtered(
        db
          .selectFrom('heartbeats')
          .select(columns)
          .select((build) => build.fn.countAll<number>().as('count')),
        filter,
      )
        .groupBy(columns)
        .orderBy('count', 'desc')
        .execute(),
    );
    return rows.map(({ count, ...values }) => {
      const parts = Object.values(values);
      return { value: parts.includes(null) ? null : parts.join('.'), count };
    });
  }

  override async spooledBytes(): Promise<number> {
    const row = await this.session.run((db) =>
      db
        .selectFrom('heartbeats')
        .select((build) => build.cast<number | null>(build.fn.sum('spooled'), 'bigint').as('bytes'))
        .executeTakeFirst(),
    );
    return row?.bytes ?? 0;
  }

  override async highestReported(): Promise<BundleRevision | null> {
    return await this.session.run(highestReported);
  }

  override async prune(silentSince: string): Promise<number> {
    const { numDeletedRows } = await this.session.run((db) =>
      db.deleteFrom('heartbeats').where('at', '<', key('silentSince', silentSince)).executeTakeFirstOrThrow(),
    );
    return Number(numDeletedRows);
  }
}

/** By agent, so that no statement meets a row twice and no two statements wait for each other. */
function newestOfEach(heartbeats: readonly Heartbeat[]): Heartbeat[] {
  const newest = new Map<string, Heartbeat>();
  for (const heartbeat of heartbeats) {
    const known = newest.get(heartbeat.agent);
    if (known === undefined || known.at <= heartbeat.at) newest.set(heartbeat.agent, heartbeat);
  }
  return [...newest.values()].sort((one, other) => (one.agent < other.agent ? -1 : 1));
}

function rowOf(heartbeat: Heartbeat): ControlSchema['heartbeats'] {
  return {
    agent: key('agent', heartbeat.agent),
    team: keyOrNull('team', heartbeat.team),
    at: key('at', heartbeat.at),
    version: key('version', heartbeat.version),
    epoch: heartbeat.bundle?.epoch ?? null,
    revision: heartbeat.bundle?.revision ?? null,
    policy_state: heartbeat.policyState,
    spooled: heartbeat.spooled,
    clock_skew_ms: heartbeat.clockSkewMs,
    body: toJson(heartbeat),
  };
}

function filtered<Output>(query: FleetQuery<Output>, filter: FleetFilter): FleetQuery<Output> {
  let built = query;
  const { team, version, policyState, silentSince, belowRevision, clockOffMs } = filter;
  if (team !== undefined) built = built.where('team', '=', key('team', team));
  if (version !== undefined) built = built.where('version', '=', key('version', version));
  if (policyState !== undefined) built = built.where('policy_state', '=', policyState);
  if (silentSince !== undefined) built = built.where('at', '<', key('silentSince', silentSince));
  if (clockOffMs !== undefined)
    built = built.where((build) =>
      build.or([build('clock_skew_ms', '>', clockOffMs), build('clock_skew_ms', '<', -clockOffMs)]),
    );
  if (belowRevision !== undefined) {
    const { epoch, revision } = belowRevision;
    built = built.where((build) =>
      build.or([
        build('epoch', 'is', null),
        build('epoch', '<', epoch),
        build.and([build('epoch', '=', epoch), build('revision', '<', revision)]),
      ]),
    );
  }
  return built;
}

/** Read first: almost always nothing is higher, and then nobody waits for this one row. */
async function raiseHighest(db: Database, heartbeats: readonly Heartbeat[]): Promise<void> {
  const reported = heartbeats
    .map(({ bundle }) => bundle)
    .filter((bundle) => bundle !== null)
    .reduce<BundleRevision | null>((best, one) => (best === null || isAbove(one, best) ? one : best), null);
  if (reported === null) return;
  const known = await highestReported(db);
  if (known !== null && !isAbove(reported, known)) return;
  const { epoch, revision } = reported;
  await db
    .insertInto('fleet_highest')
    .values({ id: 1, epoch, revision })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ epoch, revision })
        .where((build) =>
          build.or([
            build('fleet_highest.epoch', '<', epoch),
            build.and([
              build('fleet_highest.epoch', '=', epoch),
              build('fleet_highest.revision', '<', revision),
            ]),
          ]),
        ),
    )
    .execute();
}
