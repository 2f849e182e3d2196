import type { Json } from './schema.js';

/** `JSON.stringify` escapes NUL and lone surrogates, so that any text survives in any database. */
export function toJson(value: unknown): Json {
  return JSON.stringify(value);
}

/** Only for columns that this store wrote, by `toJson` of that very type. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- names what the column holds
export function fromJson<Value>(text: Json): Value {
  return JSON.parse(text) as Value;
}
