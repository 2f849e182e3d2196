import type { Migration } from './migration.js';
import { createIndex, createTable } from './migration.js';

/** What people and teams used up, and what of the audit log a machine has yet to ship. */
export const usage: Migration = {
  number: 3,
  name: 'usage',
  async up(db, kind) {
    const day = {
      kind: 'key',
      name: 'key',
      day: 'key',
      tokens: 'number',
      micro_dollars: 'number',
      tool_calls: 'number',
    } as const;
    await createTable(db, kind, 'usage_days', day, ['kind', 'name', 'day']);
    await createIndex(db, 'usage_days', ['day']);
    const report = { principal: 'key', key: 'key', at: 'key' } as const;
    await createTable(db, kind, 'usage_reports', report, ['principal', 'key']);
    await createIndex(db, 'usage_reports', ['at']);
    await db.schema
      .alterTable('heartbeats')
      .addColumn('spooled', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
