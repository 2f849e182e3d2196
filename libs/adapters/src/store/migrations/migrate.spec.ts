import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import LibsqlDatabase from 'libsql';
import type { ControlSchema } from '../schema.js';
import { CheckedDatabase } from '../sqlite/checked-database.js';
import { ImmediateSqliteDialect } from '../sqlite/immediate-driver.js';
import { MIGRATIONS, migrate } from './migrate.js';
import type { Migration } from './migration.js';

const AT = '2026-12-01T00:00:00.000Z';

describe('migrations', () => {
  let folder: string;
  let db: Kysely<ControlSchema>;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'migrate-'));
    const database = new CheckedDatabase(new LibsqlDatabase(join(folder, 'control.db')));
    db = new Kysely<ControlSchema>({ dialect: new ImmediateSqliteDialect({ database }) });
  });

  afterEach(async () => {
    await db.destroy();
    rmSync(folder, { recursive: true, force: true });
  });

  const tables = async (): Promise<string[]> => (await db.introspection.getTables()).map(({ name }) => name);

  it('are numbered from one without gaps', () => {
    expect(MIGRATIONS.map(({ number }) => number)).toEqual(MIGRATIONS.map((_, index) => index + 1));
  });

  it('are taken once', async () => {
    expect(await migrate(db, 'sqlite', AT)).toBe(MIGRATIONS.length);
    expect(await migrate(db, 'sqlite', AT)).toBe(0);
    expect(await tables()).toContain('audit_records');
  });

  it('leave nothing behind when a step fails', async () => {
    const failing: Migration = {
      number: MIGRATIONS.length + 1,
      name: 'failing',
      up: async (tx) => {
        await tx.schema.dropTable('policies').execute();
        throw new Error('no');
      },
    };
    await expect(migrate(db, 'sqlite', AT, [...MIGRATIONS, failing])).rejects.toThrow('no');
    expect(await tables()).toEqual([]);
    await migrate(db, 'sqlite', AT);
    await expect(migrate(db, 'sqlite', AT, [...MIGRATIONS, failing])).rejects.toThrow('no');
    expect(await tables()).toContain('policies');
  });

  it('refuse a database that a newer version has written', async () => {
    const newer = { number: MIGRATIONS.length + 1, name: 'newer', up: () => Promise.resolve() };
    await migrate(db, 'sqlite', AT, [...MIGRATIONS, newer]);
    await expect(migrate(db, 'sqlite', AT)).rejects.toMatchObject({ code: 'store.too_new' });
  });

  it('refuse a value that SQLite cannot hold instead of ending the process', async () => {
    await migrate(db, 'sqlite', AT);
    for (const value of [true, undefined, Number.NaN, 1n]) {
      const query = db
        .selectFrom('policies')
        .selectAll()
        .where('id', '=', value as unknown as string);
      await expect(query.execute()).rejects.toMatchObject({ code: 'store.failed' });
    }
  });
});
