import { hash } from 'node:crypto';
import { WrongStackError } from './errors.js';

/**
 * JSON with sorted keys and no white space: equal values give equal text, whatever the order they were written in.
 * `undefined` members are left out. Throws `json.not_serialisable` on cycles, functions, bigints and non-finite numbers.
 */
export function canonicalJson(value: unknown): string {
  return write(value, new Set());
}

export function sha256(text: string | Uint8Array): string {
  return `sha256:${hash('sha256', text)}`;
}

/** Digest of a value by its canonical JSON: `sha256:<hex>`. */
export function digestOf(value: unknown): string {
  return sha256(canonicalJson(value));
}

function write(value: unknown, above: Set<object>): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
    return String(value);
  if (typeof value !== 'object') {
    throw new WrongStackError('json.not_serialisable', `cannot write a ${typeof value} as JSON`);
  }
  if (above.has(value)) throw new WrongStackError('json.not_serialisable', 'cannot write a cycle as JSON');
  above.add(value);
  const text = Array.isArray(value) ? writeArray(value, above) : writeObject(value, above);
  above.delete(value);
  return text;
}

function writeArray(items: readonly unknown[], above: Set<object>): string {
  let text = '';
  for (const item of items)
    text += `${text === '' ? '' : ','}${item === undefined ? 'null' : write(item, above)}`;
  return `[${text}]`;
}

/** By hand and not by `map` and `join`: each decision is written several times. */
function writeObject(object: object, above: Set<object>): string {
  let text = '';
  for (const key of Object.keys(object).sort()) {
    const member = (object as Readonly<Record<string, unknown>>)[key];
    if (member !== undefined)
      text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${write(member, above)}`;
  }
  return `{${text}}`;
}
