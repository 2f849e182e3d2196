import { createHash } from 'node:crypto';
import { WrongStackError } from './errors.js';

/**
 * JSON with sorted keys and no white space: equal values give equal text, whatever the order they were written in.
 * `undefined` members are left out. Throws `json.not_serialisable` on cycles, functions, bigints and non-finite numbers.
 */
export function canonicalJson(value: unknown): string {
  return write(value, new Set());
}

export function sha256(text: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** Digest of a value by its canonical JSON: `sha256:<hex>`. */
export function digestOf(value: unknown): string {
  return sha256(canonicalJson(value));
}

function write(value: unknown, above: Set<object>): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
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
  return `[${items.map((item) => (item === undefined ? 'null' : write(item, above))).join(',')}]`;
}

function writeObject(object: object, above: Set<object>): string {
  const members = Object.entries(object)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${write(member, above)}`);
  return `{${members.join(',')}}`;
}
