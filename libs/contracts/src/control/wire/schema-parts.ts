import type { JSONSchema } from '../../json-schema.js';

// Short words for the schemas of the wire. JSON Schema as ajv and OpenAPI 3.1 both read it.

export const text = (maxLength: number, minLength = 1): JSONSchema => ({
  type: 'string',
  minLength,
  maxLength,
});
/** RFC 3339 in UTC, as `toISOString` writes it. */
export const time: JSONSchema = {
  type: 'string',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,3})?Z$',
};
export const digest: JSONSchema = { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' };
export const whole = (minimum = 0, maximum = Number.MAX_SAFE_INTEGER): JSONSchema => ({
  type: 'integer',
  minimum,
  maximum,
});
export const flag: JSONSchema = { type: 'boolean' };
export const oneOf = (...values: readonly string[]): JSONSchema => ({ enum: values });
export const list = (items: JSONSchema, maxItems: number): JSONSchema => ({ type: 'array', items, maxItems });
/** Null is said with the value, so that a missing member is never mistaken for "none". */
export const orNull = (schema: JSONSchema): JSONSchema => ({ anyOf: [schema, { type: 'null' }] });
export const anyObject: JSONSchema = { type: 'object', additionalProperties: true };

type Members = Readonly<Record<string, JSONSchema>>;

/** What is sent to a server, and what is signed: a member that nobody knows is refused. */
export function closed(required: Members, optional: Members = {}): JSONSchema {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(required),
    properties: { ...required, ...optional },
  };
}

/** What a server answers: readers ignore members that they do not know. */
export function open(required: Members, optional: Members = {}): JSONSchema {
  return { type: 'object', required: Object.keys(required), properties: { ...required, ...optional } };
}

/** The same with further members, which are always there. */
export function and(object: JSONSchema, more: Members): JSONSchema {
  return {
    ...object,
    required: [...(object.required ?? []), ...Object.keys(more)],
    properties: { ...object.properties, ...more },
  };
}

/** `{ items, next }`: `next` is the cursor of the following page, null at the end. */
export const page = (item: JSONSchema): JSONSchema =>
  open({ items: list(item, 1000), next: orNull(text(1000)) });

/** One page of a list. `next` goes into `?cursor=`. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}
