import { type Expression, type RawBuilder, sql } from 'kysely';

/** More than anybody uses up in one row's time, and so little that a sum of thousands of rows is still exact. */
export const MOST_AMOUNT = 1e13;
/** What a number of JavaScript holds exactly, less some. */
const MOST_TOTAL = 9e15;

/** An amount that somebody reported, as a whole number that rows can hold. */
export function boundedAmount(amount: number): number {
  return Math.min(Math.round(amount), MOST_AMOUNT);
}

/** A row's amount and what is added to it. Both are within the bound, so their sum is one that every database can hold. */
export function boundedSum(before: Expression<unknown>, more: Expression<unknown>): RawBuilder<number> {
  const most = sql.lit(MOST_AMOUNT);
  return sql<number>`case when ${before} + ${more} > ${most} then ${most} else ${before} + ${more} end`;
}

/** The sum over rows, where there may be any number of them. */
export function boundedTotal(amount: Expression<unknown>): RawBuilder<number> {
  const most = sql.lit(MOST_TOTAL);
  return sql<number>`cast(case when sum(${amount}) > ${most} then ${most} else sum(${amount}) end as bigint)`;
}
