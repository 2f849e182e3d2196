import type { Migration } from './migration.js';
import { createIndex } from './migration.js';

/** Runs are looked through by state every second or so, and by whose they are. */
export const runIndexes: Migration = {
  number: 5,
  name: 'run-indexes',
  async up(db) {
    await createIndex(db, 'server_runs', ['state', 'created_at', 'id']);
    await createIndex(db, 'server_runs', ['requester', 'created_at', 'id']);
  },
};
