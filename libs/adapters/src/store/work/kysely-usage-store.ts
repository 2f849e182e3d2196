import { sql } from 'kysely';
import { type ReportedUse, type UsageHolder, UsageStore } from '@wrongstack/contracts/control';
import type { UsedUp } from '@wrongstack/contracts/wire';
import { boundedAmount, boundedSum } from '../bounded-sum.js';
import { key } from '../keys.js';
import type { Database } from '../schema.js';
import type { StoreSession } from '../store-session.js';

/** Whole numbers add up exactly, whatever the order. */
const MICRO = 1_000_000;
const MOST_LISTED = 1_000;

export class KyselyUsageStore extends UsageStore {
  constructor(private readonly session: StoreSession) {
    super();
  }

  override async add(report: ReportedUse): Promise<boolean> {
    const { holders, used } = report;
    const day = key('day', report.day);
    return await this.session.atomically(async (db) => {
      if (!(await isNew(db, report))) return false;
      // In one order for everybody, so that no two reports wait for each other.
      const rows = holders
        .map(({ kind, name }) => ({
          ...{ kind, name: key('name', name), day, tokens: boundedAmount(used.tokens) },
          micro_dollars: boundedAmount(used.costUsd * MICRO),
          tool_calls: boundedAmount(used.toolCalls),
        }))
        .sort((one, other) => (`${one.kind} ${one.name}` < `${other.kind} ${other.name}` ? -1 : 1));
      if (rows.length === 0 || (used.tokens === 0 && used.costUsd === 0 && used.toolCalls === 0)) return true;
      await db
        .insertInto('usage_days')
        .values(rows)
        .onConflict((conflict) =>
          conflict.columns(['kind', 'name', 'day']).doUpdateSet((build) => ({
            tokens: boundedSum(sql.ref('usage_days.tokens'), build.ref('excluded.tokens')),
            micro_dollars: boundedSum(
              sql.ref('usage_days.micro_dollars'),
              build.ref('excluded.micro_dollars'),
            ),
            tool_calls: boundedSum(sql.ref('usage_days.tool_calls'), build.ref('excluded.tool_calls')),
          })),
        )
        .execute();
      return true;
    });
  }

  override async of({ kind, name }: UsageHolder, from: string, through: string): Promise<UsedUp> {
    const rows = await this.session.run((db) =>
      sums(db, kind, from, through).where('name', '=', key('name', name)).execute(),
    );
    const [row] = rows;
    return row === undefined ? { tokens: 0, costUsd: 0, toolCalls: 0 } : usedOf(row);
  }

  override async list(
    kind: UsageHolder['kind'],
    from: string,
    through: string,
    limit: number,
  ): Promise<readonly (UsedUp & { readonly name: string })[]> {
    const rows = await this.session.run((db) =>
      sums(db, kind, from, through)
        .orderBy('tokens', 'desc')
        .orderBy('name')
        .limit(Math.min(limit, MOST_LISTED))
        .execute(),
    );
    return rows.map((row) => ({ name: row.name, ...usedOf(row) }));
  }

  override async prune(keysBefore: string, daysBefore: string): Promise<void> {
    await this.session.run((db) =>
      db.deleteFrom('usage_reports').where('at', '<', key('keysBefore', keysBefore)).execute(),
    );
    await this.session.run((db) =>
      db.deleteFrom('usage_days').where('day', '<', key('daysBefore', daysBefore)).execute(),
    );
  }
}

async function isNew(db: Database, report: ReportedUse): Promise<boolean> {
  const taken = await db
    .insertInto('usage_reports')
    .values({
      principal: key('principal', report.principal),
      key: key('key', report.key),
      at: key('at', report.at),
    })
    .onConflict((conflict) => conflict.columns(['principal', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst();
  return taken !== undefined;
}

function sums(db: Database, kind: UsageHolder['kind'], from: string, through: string) {
  return db
    .selectFrom('usage_days')
    .select('name')
    .select((build) => [
      build.cast<number>(build.fn.sum('tokens'), 'bigint').as('tokens'),
      build.cast<number>(build.fn.sum('micro_dollars'), 'bigint').as('micro_dollars'),
      build.cast<number>(build.fn.sum('tool_calls'), 'bigint').as('tool_calls'),
    ])
    .where('kind', '=', kind)
    .where('day', '>=', key('from', from))
    .where('day', '<=', key('through', through))
    .groupBy('name');
}

function usedOf(row: {
  readonly tokens: number;
  readonly micro_dollars: number;
  readonly tool_calls: number;
}): UsedUp {
  return { tokens: row.tokens, costUsd: row.micro_dollars / MICRO, toolCalls: row.tool_calls };
}
