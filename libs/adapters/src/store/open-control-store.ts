import type { ControlStore } from '@wrongstack/contracts/control';
import type { PostgresOptions } from './postgres/open-postgres.js';

export type StorePlace =
  | { readonly databaseUrl: string; readonly postgres?: PostgresOptions }
  /** Path of the SQLite file; its folder is made. */
  | { readonly file: string };

/** Opens and migrates the store. Only the driver that is used is loaded. */
export async function openControlStore(place: StorePlace): Promise<ControlStore> {
  if ('databaseUrl' in place) {
    const { openPostgresStore } = await import('./postgres/open-postgres.js');
    return await openPostgresStore(place.databaseUrl, place.postgres);
  }
  const { openSqliteStore } = await import('./sqlite/open-sqlite.js');
  return await openSqliteStore(place.file);
}

/** The SQLite store of another process of this machine, to read from: every write fails. */
export async function openStoreReader({ file }: { readonly file: string }): Promise<ControlStore> {
  const { openSqliteReader } = await import('./sqlite/open-sqlite.js');
  return await openSqliteReader(file);
}
