import type { Schema } from './route-contract.js';

const MOST_ITEMS = 500;

/** The query parameters of a list. */
export const PAGE_QUERY = {
  cursor: { type: 'string', maxLength: 400 },
  limit: { type: 'integer', minimum: 1, maximum: MOST_ITEMS, default: 50 },
} as const satisfies Readonly<Record<string, Schema>>;

/** As it arrives: the limit has its default by then. */
export interface PageQuery {
  readonly cursor?: string;
  readonly limit: number;
}

export function pageSchema(item: Schema): Schema {
  return {
    type: 'object',
    required: ['items', 'next'],
    properties: { items: { type: 'array', items: item }, next: { type: ['string', 'null'] } },
  };
}
