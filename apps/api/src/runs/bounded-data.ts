import type { JsonValue } from '@wrongstack/contracts';

const MOST_TEXT = 4_000;
const MOST_BYTES = 16_000;
const MOST_ITEMS = 100;
const DEEPEST = 12;

/** A value as an event carries it: plain JSON, long texts and lists cut and said to be, never larger than 16 kB or so. */
export function boundedData(value: unknown): JsonValue {
  const data = bounded(value, 0);
  const text = JSON.stringify(data);
  return text.length <= MOST_BYTES ? data : { cut: text.length, start: text.slice(0, MOST_TEXT) };
}

function bounded(value: unknown, depth: number): JsonValue {
  switch (typeof value) {
    case 'string':
      return value.length <= MOST_TEXT
        ? value
        : `${value.slice(0, MOST_TEXT)} [${value.length - MOST_TEXT} characters more]`;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'boolean':
      return value;
    case 'bigint':
      return String(value);
    case 'object':
      break;
    case 'undefined':
    case 'function':
    case 'symbol':
      return null;
  }
  if (value === null) return null;
  if (depth >= DEEPEST) return '[deeper]';
  if (Array.isArray(value)) {
    const items = value.slice(0, MOST_ITEMS).map((item) => bounded(item, depth + 1));
    return value.length <= MOST_ITEMS ? items : [...items, `[${value.length - MOST_ITEMS} more]`];
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .slice(0, MOST_ITEMS)
      .map(([key, member]) => [key, bounded(member, depth + 1)]),
  );
}
