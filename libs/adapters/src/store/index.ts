export { openControlStore, type StorePlace } from './open-control-store.js';
export type { PostgresOptions } from './postgres/open-postgres.js';
