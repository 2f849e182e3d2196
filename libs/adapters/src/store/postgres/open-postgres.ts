import { WrongStackError, isoNow, systemClock } from '@wrongstack/contracts';
import type { ControlStore, RecordedDecisions } from '@wrongstack/contracts/control';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { KyselyRecordedDecisions } from '../audit/kysely-recorded-decisions.js';
import { KyselyControlStore } from '../kysely-control-store.js';
import { migrate } from '../migrations/migrate.js';
import type { ControlSchema } from '../schema.js';
import { storeError } from '../store-error.js';
import { RootSession } from '../store-session.js';
import { GuardedPool } from './guarded-pool.js';

export interface PostgresOptions {
  /** Connections at most; each holds one transaction. 10 by default. */
  readonly connections?: number;
  /** Until a connection must stand. 5,000 by default. */
  readonly connectMs?: number;
  /** Until a statement must be answered. 10,000 by default. */
  readonly statementMs?: number;
}

const INT8 = 20;

/** The store of a team: any number of processes on one database. Migrates under a lock; the others wait. */
export async function openPostgresStore(
  databaseUrl: string,
  options: PostgresOptions = {},
): Promise<ControlStore> {
  const db = new Kysely<ControlSchema>({
    dialect: new PostgresDialect({ pool: new GuardedPool(createPool(databaseUrl, options)) }),
  });
  try {
    await refuseOtherEncodings(db);
    await migrate(db, 'postgres', isoNow(systemClock));
    return new KyselyControlStore(db, 'postgres');
  } catch (thrown) {
    await db.destroy().catch(() => undefined);
    throw storeError(thrown);
  }
}

/** One more connection, which only reads. */
export function openPostgresDecisions(databaseUrl: string, options: PostgresOptions = {}): RecordedDecisions {
  const pool = new GuardedPool(createPool(databaseUrl, { ...options, connections: 1 }));
  const db = new Kysely<ControlSchema>({ dialect: new PostgresDialect({ pool }) });
  return new KyselyRecordedDecisions(new RootSession(db, 'postgres'));
}

function createPool(databaseUrl: string, options: PostgresOptions): pg.Pool {
  const statementMs = options.statementMs ?? 10_000;
  return new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'wrongstack',
    max: options.connections ?? 10,
    connectionTimeoutMillis: options.connectMs ?? 5_000,
    statement_timeout: statementMs,
    lock_timeout: statementMs,
    idle_in_transaction_session_timeout: 30_000,
    // The server's own limit comes first; this one is for a server that does not answer at all.
    query_timeout: statementMs + 2_000,
    keepAlive: true,
    types: { getTypeParser: parserOf },
  });
}

/** pg's own, which takes the text of a value, whatever the type is. */
const standard: { getTypeParser(oid: number, format: 'text'): (text: string) => unknown } = pg.types;

/** Numbers of this store are below 2^53, so int8 comes as a number and not as text. */
function parserOf(oid: number): (text: string) => unknown {
  return oid === INT8 ? Number : standard.getTypeParser(oid, 'text');
}

async function refuseOtherEncodings(db: Kysely<ControlSchema>): Promise<void> {
  const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db);
  const encoding = rows[0]?.server_encoding;
  if (encoding === 'UTF8') return;
  throw new WrongStackError(
    'store.encoding',
    `the database's encoding is ${encoding ?? 'unknown'}, not UTF8`,
    {
      hint: 'create it with: create database wrongstack encoding utf8 template template0',
    },
  );
}
