import type { ShadowCount, ShadowFilter } from '@wrongstack/contracts/control';
import { ShadowStore } from '@wrongstack/contracts/control';
import { key } from '../keys.js';
import type { StoreSession } from '../store-session.js';

const ROWS_A_STATEMENT = 1_000;

export class KyselyShadowStore extends ShadowStore {
  constructor(private readonly session: StoreSession) {
    super();
  }

  override async add(counts: readonly ShadowCount[]): Promise<void> {
    const rows = summed(counts);
    await this.session.atomically(async (db) => {
      for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT) {
        await db
          .insertInto('shadow_counts')
          .values(rows.slice(start, start + ROWS_A_STATEMENT))
          .onConflict((conflict) =>
            conflict
              .columns(['document', 'revision', 'rule', 'team', 'tool', 'hour'])
              .doUpdateSet((build) => ({
                matched: build('shadow_counts.matched', '+', build.ref('excluded.matched')),
                diverged: build('shadow_counts.diverged', '+', build.ref('excluded.diverged')),
              })),
          )
          .execute();
      }
    });
  }

  override async totals(filter: ShadowFilter): Promise<readonly Omit<ShadowCount, 'hour'>[]> {
    const rows = await this.session.run((db) => {
      let query = db
        .selectFrom('shadow_counts')
        .select(['document', 'revision', 'rule', 'team', 'tool'])
        .select((build) => [
          build.cast<number>(build.fn.sum('matched'), 'bigint').as('matched'),
          build.cast<number>(build.fn.sum('diverged'), 'bigint').as('diverged'),
        ])
        .where('document', '=', key('document', filter.document));
      if (filter.revision !== undefined) query = query.where('revision', '=', filter.revision);
      if (filter.from !== undefined) query = query.where('hour', '>=', key('from', filter.from));
      if (filter.to !== undefined) query = query.where('hour', '<', key('to', filter.to));
      return query.groupBy(['document', 'revision', 'rule', 'team', 'tool']).execute();
    });
    return rows
      .map((row) => ({ ...row, team: row.team === '' ? null : row.team }))
      .sort((one, other) => other.diverged - one.diverged || other.matched - one.matched);
  }
}

interface Row extends Omit<ShadowCount, 'team'> {
  readonly team: string;
}

/** One row a key, in the order of keys: no statement meets a row twice, and no two statements wait for each other. */
function summed(counts: readonly ShadowCount[]): Row[] {
  const rows = new Map<string, Row>();
  for (const count of counts) {
    const row: Row = {
      document: key('document', count.document),
      revision: count.revision,
      rule: key('rule', count.rule),
      team: key('team', count.team ?? ''),
      tool: key('tool', count.tool),
      hour: key('hour', count.hour),
      matched: count.matched,
      diverged: count.diverged,
    };
    const name = JSON.stringify([row.document, row.revision, row.rule, row.team, row.tool, row.hour]);
    const known = rows.get(name);
    rows.set(name, {
      ...row,
      matched: row.matched + (known?.matched ?? 0),
      diverged: row.diverged + (known?.diverged ?? 0),
    });
  }
  return [...rows.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}
