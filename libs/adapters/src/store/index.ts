export { openControlStore, openStoreReader, type StorePlace } from './open-control-store.js';
export { openRecordedDecisions } from './open-recorded-decisions.js';
export { backupSqlite } from './sqlite/backup-sqlite.js';
export type { PostgresOptions } from './postgres/open-postgres.js';
