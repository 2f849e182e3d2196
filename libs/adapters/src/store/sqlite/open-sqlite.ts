import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { isoNow, systemClock, WrongStackError } from '@wrongstack/contracts';
import type { ControlStore, RecordedDecisions } from '@wrongstack/contracts/control';
import { Kysely } from 'kysely';
import LibsqlDatabase from 'libsql';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../files/private-files.js';
import { KyselyRecordedDecisions } from '../audit/kysely-recorded-decisions.js';
import { KyselyControlStore } from '../kysely-control-store.js';
import { migrate, requireNewest } from '../migrations/migrate.js';
import type { ControlSchema } from '../schema.js';
import { storeError } from '../store-error.js';
import { RootSession } from '../store-session.js';
import { CheckedDatabase } from './checked-database.js';
import { ImmediateSqliteDialect } from './immediate-driver.js';
import { ProcessLock } from './process-lock.js';

const BUSY_TIMEOUT_MS = 5_000;

/**
 * The store of one machine and one process. A commit is on the disk before it is acknowledged (`synchronous=full`).
 * `store.in_use` names the process that has the file already.
 */
export async function openSqliteStore(file: string): Promise<ControlStore> {
  mkdirSync(dirname(file), { recursive: true, mode: PRIVATE_FOLDER });
  const lock = ProcessLock.take(file);
  try {
    const db = new Kysely<ControlSchema>({
      dialect: new ImmediateSqliteDialect({ database: new CheckedDatabase(openFile(file)) }),
    });
    try {
      await migrate(db, 'sqlite', isoNow(systemClock));
    } catch (thrown) {
      await db.destroy();
      throw thrown;
    }
    return new KyselyControlStore(db, 'sqlite', () => lock.release());
  } catch (thrown) {
    lock.release();
    throw storeError(thrown);
  }
}

/** A second connection of the process that has the file: it only reads, so it needs no lock. */
export function openSqliteDecisions(file: string): RecordedDecisions {
  return new KyselyRecordedDecisions(new RootSession(openToRead(file), 'sqlite'));
}

/**
 * The store of another process of this machine, to read from: every write fails. `store.missing` where there is none, `store.too_old`
 * and `store.too_new` where another version of the program has written it.
 */
export async function openSqliteReader(file: string): Promise<ControlStore> {
  if (!existsSync(file)) {
    throw new WrongStackError('store.missing', `there is no store at ${file}`, {
      hint: 'start the API of this machine first, or set DATABASE_URL',
    });
  }
  const db = openToRead(file);
  try {
    await requireNewest(db);
    return new KyselyControlStore(db, 'sqlite');
  } catch (thrown) {
    await db.destroy();
    throw storeError(thrown);
  }
}

function openToRead(file: string): Kysely<ControlSchema> {
  const database = new LibsqlDatabase(file, { readonly: true, timeout: BUSY_TIMEOUT_MS });
  // libsql opens it to write all the same; this is what refuses.
  database.pragma('query_only = on');
  return new Kysely<ControlSchema>({
    dialect: new ImmediateSqliteDialect({ database: new CheckedDatabase(database) }),
  });
}

function openFile(file: string): LibsqlDatabase.Database {
  const isNew = !existsSync(file);
  const database = new LibsqlDatabase(file, { timeout: BUSY_TIMEOUT_MS });
  // Before anything is in it; the log beside it takes the same mode.
  if (isNew) chmodSync(file, PRIVATE_FILE);
  database.pragma('journal_mode = wal');
  database.pragma('synchronous = full');
  database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  database.pragma('foreign_keys = on');
  return database;
}
