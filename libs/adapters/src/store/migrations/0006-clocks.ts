import type { Migration } from './migration.js';

/** How far the clock of each machine is off, so that those that disagree can be listed. */
export const clocks: Migration = {
  number: 6,
  name: 'clocks',
  async up(db) {
    await db.schema
      .alterTable('heartbeats')
      .addColumn('clock_skew_ms', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
