import { ApiProblem } from '../errors/api-problem.js';
import type { Schema } from './route-contract.js';

/** A part of a list. `next`: the cursor of the following part, null at the end. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

const MOST_ITEMS = 500;

/** The query parameters of a list. */
export const PAGE_QUERY = {
  cursor: { type: 'string', maxLength: 400 },
  limit: { type: 'integer', minimum: 1, maximum: MOST_ITEMS, default: 50 },
} as const satisfies Readonly<Record<string, Schema>>;

export function pageSchema(item: Schema): Schema {
  return {
    type: 'object',
    required: ['items', 'next'],
    properties: { items: { type: 'array', items: item }, next: { type: ['string', 'null'] } },
  };
}

/** A position in a list as text that callers cannot read meaning into. */
export function encodeCursor(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** The position again, as far as `accept` takes it. Throws a 400 problem. */
export function decodeCursor<Position>(
  cursor: string | undefined,
  accept: (position: unknown) => position is Position,
): Position | null {
  if (cursor === undefined || cursor === '') return null;
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (accept(position)) return position;
  } catch {
    // Not ours: the same answer as to one that decodes to something else.
  }
  throw new ApiProblem(400, 'request.cursor_invalid', 'cursor is none of ours: start without one');
}
