import { WrongStackError } from '@wrongstack/contracts';
import type { PageRequest } from '@wrongstack/contracts/control';

const MAX_CHARACTERS = 512;
const MAX_LIMIT = 1_000;

/** What serves as a key or a filter: text that every database holds, compares and indexes in the same way. */
export function key(field: string, value: string): string {
  if (value.length > MAX_CHARACTERS || /[\0\ud800-\udfff]/u.test(value)) {
    throw new WrongStackError(
      'store.bad_key',
      `${field} must be well-formed text without NUL and of at most ${MAX_CHARACTERS} characters`,
      { path: `/${field}` },
    );
  }
  return value;
}

export function keyOrNull(field: string, value: string | null): string | null {
  return value === null ? null : key(field, value);
}

/** Refuses limits that are none, before they become SQL. */
export function pageLimit({ limit }: PageRequest): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new WrongStackError('store.bad_limit', `limit must be a whole number from 1 to ${MAX_LIMIT}`, {
    path: '/limit',
  });
}

type CursorPart = 'string' | 'number';
type CursorValue<Part extends CursorPart> = Part extends 'string' ? string : number;
type CursorValues<Parts extends readonly CursorPart[]> = {
  -readonly [Index in keyof Parts]: CursorValue<Parts[Index]>;
};

/** The place behind the last item of a page, opaque to callers. */
export function writeCursor(values: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/** Null for the first page. A cursor comes back from outside: anything but what `writeCursor` gave is refused. */
export function readCursor<const Parts extends readonly CursorPart[]>(
  { cursor }: PageRequest,
  parts: Parts,
): CursorValues<Parts> | null {
  if (cursor === undefined || cursor === null) return null;
  const values = parse(cursor);
  const fits =
    Array.isArray(values) &&
    values.length === parts.length &&
    parts.every((part, index) => isPart(values[index], part));
  if (!fits) {
    throw new WrongStackError('store.bad_cursor', 'cursor is not one that a page before gave', {
      path: '/cursor',
    });
  }
  // Each value was just checked against its part.
  return values as CursorValues<Parts>;
}

function isPart(value: unknown, part: CursorPart): boolean {
  if (part === 'number') return Number.isSafeInteger(value);
  return typeof value === 'string' && value.length <= MAX_CHARACTERS && !/[\0\ud800-\udfff]/u.test(value);
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}

/** One row more than the page holds was asked for: its presence says that there is a next page. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  itemOf: (row: Row) => Item,
  placeOf: (row: Row) => readonly (string | number)[],
): { readonly items: readonly Item[]; readonly next: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(itemOf),
    next: rows.length > limit && last !== undefined ? writeCursor(placeOf(last)) : null,
  };
}
