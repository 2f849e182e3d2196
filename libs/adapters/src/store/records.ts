import type { Page, PageRequest } from '@wrongstack/contracts/control';
import { type InsertQueryBuilder, type InsertResult, type SelectQueryBuilder, sql } from 'kysely';
import { pageLimit, pageOf, readCursor } from './keys.js';
import type { ControlSchema } from './schema.js';

/** Tables whose rows are named by `id` and listed by when they were made. */
type RecordTable = 'approvals' | 'exception_requests' | 'replays' | 'server_runs';

/** False where its `id` is taken: then nothing was written. */
export async function insertedNew<Table extends RecordTable>(
  query: InsertQueryBuilder<ControlSchema, Table, InsertResult>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await query
    .onConflict((conflict) => conflict.expression(sql`id`).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** One page of what a query finds, the newest first; among those of one moment the order is that of their ids. */
export async function newestFirst<
  Table extends RecordTable,
  Row extends { readonly id: string; readonly created_at: string },
  Item,
>(
  query: SelectQueryBuilder<ControlSchema, Table, Row>,
  page: PageRequest,
  itemOf: (row: Row) => Item,
): Promise<Page<Item>> {
  const limit = pageLimit(page);
  const before = readCursor(page, ['string', 'string']);
  const rest =
    before === null ? query : query.where(sql<boolean>`(created_at, id) < (${before[0]}, ${before[1]})`);
  const rows = await rest
    .orderBy(sql`created_at`, 'desc')
    .orderBy(sql`id`, 'desc')
    .limit(limit + 1)
    .execute();
  return pageOf(rows as Row[], limit, itemOf, (row) => [row.created_at, row.id]);
}
