import type { Migration } from './migration.js';
import { createTable } from './migration.js';

/** What command lines say that happened on them, an hour. Empty texts stand for null, which no primary key holds. */
export const activity: Migration = {
  number: 4,
  name: 'activity',
  async up(db, kind) {
    await createTable(
      db,
      kind,
      'activity_hours',
      { hour: 'key', team: 'key', measure: 'key', detail: 'key', model: 'key', amount: 'number' },
      ['hour', 'team', 'measure', 'detail', 'model'],
    );
  },
};
