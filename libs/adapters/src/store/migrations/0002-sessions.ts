import type { Migration } from './migration.js';
import { createIndex, createTable } from './migration.js';

/** Browsers in which people have signed in. */
export const sessions: Migration = {
  number: 2,
  name: 'sessions',
  async up(db, kind) {
    await createTable(
      db,
      kind,
      'sessions',
      {
        secret_hash: 'key',
        id: 'key',
        user_id: 'key',
        created_at: 'key',
        expires_at: 'key',
        last_seen_at: 'key',
        body: 'json',
      },
      ['secret_hash'],
    );
    await createIndex(db, 'sessions', ['id'], true);
    await createIndex(db, 'sessions', ['user_id', 'created_at']);
  },
};
