type Check = (value: unknown, depth: number) => boolean;

const TYPES: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
]);
const DEEPEST = 32;

const text: Check = (value) => typeof value === 'string';
const number: Check = (value) => Number.isFinite(value);
const count: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const anything: Check = () => true;
const primitive: Check = (value) => value === null || ['string', 'number', 'boolean'].includes(typeof value);
const distinct = (list: readonly unknown[]): boolean => new Set(list).size === list.length;

/** Keywords whose right values no compiler of JSON Schema has ever a reason to refuse. */
const KEYWORDS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['type', (value) => TYPES.has(value)],
  ['title', text],
  ['description', text],
  ['default', anything],
  [
    'properties',
    (value, depth) =>
      isRecord(value) &&
      Object.entries(value).every(([name, one]) => isOrdinary(name) && isPlain(one, depth)),
  ],
  [
    'required',
    (value) =>
      Array.isArray(value) &&
      value.every((name) => typeof name === 'string' && isOrdinary(name)) &&
      distinct(value),
  ],
  [
    'enum',
    (value) =>
      Array.isArray(value) && value.length > 0 && value.every((one) => primitive(one, 0)) && distinct(value),
  ],
  ['items', (value, depth) => isPlain(value, depth)],
  ['additionalProperties', (value, depth) => typeof value === 'boolean' || isPlain(value, depth)],
  ['minimum', number],
  ['maximum', number],
  ['minLength', count],
  ['maxLength', count],
  ['minItems', count],
  ['maxItems', count],
]);

/**
 * Whether a schema is of the plain kind that most tools have, and so certain to compile: it may be compiled when it is
 * first used. Says no to whatever could be refused (a pattern, a reference, a combination, a dialect): those are compiled
 * at once, so that a bad schema still fails where it is registered.
 */
export function isPlainSchema(schema: unknown): boolean {
  return isPlain(schema, 0);
}

function isPlain(schema: unknown, depth: number): boolean {
  return (
    depth < DEEPEST &&
    isRecord(schema) &&
    Object.entries(schema).every(([keyword, value]) => KEYWORDS.get(keyword)?.(value, depth + 1) === true)
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names that JavaScript gives a meaning of its own are looked at when the schema is compiled. */
function isOrdinary(name: string): boolean {
  return !(name in Object.prototype) && name !== 'prototype';
}
