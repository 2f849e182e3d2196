import { WrongStackError } from '@wrongstack/contracts';
import { sql } from 'kysely';
import type { Database, StoreKind } from '../schema.js';
import { first } from './0001-first.js';
import { sessions } from './0002-sessions.js';
import { usage } from './0003-usage.js';
import { activity } from './0004-activity.js';
import { runIndexes } from './0005-run-indexes.js';
import { clocks } from './0006-clocks.js';
import type { Migration } from './migration.js';

/** In order, without gaps. */
export const MIGRATIONS: readonly Migration[] = [first, sessions, usage, activity, runIndexes, clocks];

/** Any number, the same in each process that migrates: `wsControl` in ASCII, cut to 63 bits. */
const ADVISORY_LOCK = '8607345810447462241';

/**
 * Brings the database to the newest form, all of it or nothing, one process at a time. Rejects with `store.too_new` where a newer
 * version of the program has written it, since what that added would be ignored. Gives how many steps were taken.
 */
export async function migrate(
  db: Database,
  kind: StoreKind,
  appliedAt: string,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<number> {
  return await db.transaction().execute(async (tx) => {
    if (kind === 'postgres') {
      await sql`set local statement_timeout = 0`.execute(tx);
      await sql`set local lock_timeout = 0`.execute(tx);
      await sql`select pg_advisory_xact_lock(${sql.lit(ADVISORY_LOCK)}::bigint)`.execute(tx);
    }
    await tx.schema
      .createTable('schema_migrations')
      .ifNotExists()
      .addColumn('number', 'integer', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('applied_at', 'text', (column) => column.notNull())
      .execute();
    const applied = await tx.selectFrom('schema_migrations').select('number').orderBy('number').execute();
    const known = applied.at(-1)?.number ?? 0;
    refuseNewer(known, migrations);
    const missing = migrations.filter(({ number }) => number > known);
    for (const step of missing) {
      await step.up(tx, kind);
      const { number, name } = step;
      await tx.insertInto('schema_migrations').values({ number, name, applied_at: appliedAt }).execute();
    }
    return missing.length;
  });
}

/** For whoever only reads: another form than this program's is refused and left as it is. */
export async function requireNewest(
  db: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  const applied = await db.selectFrom('schema_migrations').select('number').orderBy('number').execute();
  const known = applied.at(-1)?.number ?? 0;
  refuseNewer(known, migrations);
  const newest = newestOf(migrations);
  if (known === newest) return;
  throw new WrongStackError('store.too_old', `the database is at step ${known} of ${newest}`, {
    hint: 'start the API of this version first: it takes the missing steps',
  });
}

function refuseNewer(known: number, migrations: readonly Migration[]): void {
  const newest = newestOf(migrations);
  if (known <= newest) return;
  throw new WrongStackError(
    'store.too_new',
    `the database is at step ${known}, this program knows ${newest} steps`,
    { hint: 'start the version that wrote it, or restore a backup from before' },
  );
}

function newestOf(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.number ?? 0;
}
