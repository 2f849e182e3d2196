import { sql } from 'kysely';
import type { ActivityCount, ActivityGroup, ActivityTotal } from '@wrongstack/contracts/control';
import { ActivityStore } from '@wrongstack/contracts/control';
import { boundedAmount, boundedSum, boundedTotal } from '../bounded-sum.js';
import { key } from '../keys.js';
import type { StoreSession } from '../store-session.js';

const KEY = ['hour', 'team', 'measure', 'detail', 'model'] as const;

export class KyselyActivityStore extends ActivityStore {
  constructor(private readonly session: StoreSession) {
    super();
  }

  override async add(counts: readonly ActivityCount[]): Promise<void> {
    const rows = summed(counts);
    if (rows.length === 0) return;
    await this.session.run((db) =>
      db
        .insertInto('activity_hours')
        .values([...rows])
        .onConflict((conflict) =>
          conflict.columns([...KEY]).doUpdateSet((build) => ({
            amount: boundedSum(sql.ref('activity_hours.amount'), build.ref('excluded.amount')),
          })),
        )
        .execute(),
    );
  }

  override async totals(
    { from, to }: { readonly from: string; readonly to: string },
    by: readonly ActivityGroup[],
  ): Promise<readonly ActivityTotal[]> {
    const groups = [...new Set(by)];
    const rows = await this.session.run((db) =>
      db
        .selectFrom('activity_hours')
        .select(groups)
        .select((build) => boundedTotal(build.ref('amount')).as('amount'))
        .where('hour', '>=', key('from', from))
        .where('hour', '<', key('to', to))
        .$if(groups.length > 0, (query) => query.groupBy(groups))
        .execute(),
    );
    // Without groups there is one row, of nothing where nothing was counted.
    return rows.filter(({ amount }) => (amount as number | null) !== null).map(totalOf);
  }
}

/** As in the table: empty stands for null, which no primary key holds. */
interface Row {
  readonly hour: string;
  readonly team: string;
  readonly measure: string;
  readonly detail: string;
  readonly model: string;
  readonly amount: number;
}

/** One row a key, in the order of keys: no statement meets a row twice, and no two statements wait for each other. */
function summed(counts: readonly ActivityCount[]): readonly Row[] {
  const rows = new Map<string, Row>();
  for (const { hour, team, measure, detail, model, amount } of counts) {
    const row = {
      hour: key('hour', hour),
      team: key('team', team ?? ''),
      measure,
      detail: key('detail', detail),
      model: key('model', model ?? ''),
    };
    const name = JSON.stringify(Object.values(row));
    rows.set(name, { ...row, amount: boundedAmount(amount + (rows.get(name)?.amount ?? 0)) });
  }
  return [...rows.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

function totalOf(row: Partial<Row> & { readonly amount: number }): ActivityTotal {
  const { team, model, measure, ...rest } = row;
  return {
    ...rest,
    ...(team === undefined ? {} : { team: team === '' ? null : team }),
    ...(model === undefined ? {} : { model: model === '' ? null : model }),
    // Written from the measure's own type.
    ...(measure === undefined ? {} : { measure: measure as ActivityCount['measure'] }),
  };
}
