export { problemsOf } from './audit-store.conformance.js';
export { controlStoreCases } from './control-store.conformance.js';
export { PostgresServer, postgresMissing, postgresPrograms } from './postgres-server.js';
export * from './sample-records.js';
export type { StoreCase, StoreHarness } from './store-harness.js';
