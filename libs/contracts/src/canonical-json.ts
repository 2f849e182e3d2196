import { hash } from 'node:crypto';
import { WrongStackError } from './errors.js';

/**
 * JSON with sorted keys and no white space: equal values give equal text, whatever the order they were written in.
 * `undefined` members are left out. Throws `json.not_serialisable` on cycles, functions, bigints and non-finite numbers.
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0, []);
}

export function sha256(text: string | Uint8Array): string {
  return `sha256:${hash('sha256', text)}`;
}

/** Digest of a value by its canonical JSON: `sha256:<hex>`. */
export function digestOf(value: unknown): string {
  return sha256(canonicalJson(value));
}

const texts = new WeakMap<object, string>();

/** `text`: what `canonicalJson` gives for this value, which is frozen to its depth. It is not written again for as long as the value lives. */
export function keepText(value: object, text: string): void {
  texts.set(value, text);
}

/** Values whose text is kept are whole things, never far down: there nobody looks for them. */
const KEPT_DEPTH = 2;

/** Deeper than anything that is written as a rule: from there on it is looked whether a value lies within itself. */
const TRUSTED_DEPTH = 32;

/** By hand, since each decision is written several times: a quarter of what `JSON.stringify` of sorted copies takes. */
function write(value: unknown, depth: number, above: readonly object[]): string {
  if (typeof value === 'string') return quoted(value);
  if (value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
    return String(value);
  if (typeof value !== 'object')
    throw new WrongStackError('json.not_serialisable', `cannot write a ${typeof value} as JSON`);
  const kept = depth <= KEPT_DEPTH ? texts.get(value) : undefined;
  if (kept !== undefined) return kept;
  if (depth < TRUSTED_DEPTH) return writeMembers(value, depth + 1, above);
  if (above.includes(value))
    throw new WrongStackError('json.not_serialisable', 'cannot write a cycle as JSON');
  return writeMembers(value, depth + 1, [...above, value]);
}

function writeMembers(value: object, depth: number, above: readonly object[]): string {
  return Array.isArray(value) ? writeArray(value, depth, above) : writeObject(value, depth, above);
}

function writeArray(items: readonly unknown[], depth: number, above: readonly object[]): string {
  let text = '';
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index];
    text += `${index === 0 ? '' : ','}${item === undefined ? 'null' : write(item, depth, above)}`;
  }
  return `[${text}]`;
}

function writeObject(object: object, depth: number, above: readonly object[]): string {
  let text = '';
  for (const key of sorted(Object.keys(object))) {
    const member = (object as Readonly<Record<string, unknown>>)[key];
    if (member !== undefined) text += `${text === '' ? '' : ','}${name(key)}:${write(member, depth, above)}`;
  }
  return `{${text}}`;
}

/** Few, as a rule: a call of `sort` costs more than all that there is to do. */
function sorted(keys: string[]): string[] {
  if (keys.length > 32) return keys.sort();
  for (let index = 1; index < keys.length; index += 1) {
    const key = keys[index] ?? '';
    let at = index - 1;
    for (; at >= 0 && (keys[at] ?? '') > key; at -= 1) keys[at + 1] = keys[at] ?? '';
    keys[at + 1] = key;
  }
  return keys;
}

/** What JSON escapes: control characters, quotes, and halves of surrogate pairs, of which whole ones are looked at too. */
const ESCAPED = /[\u0000-\u001f"\\\ud800-\udfff]/;

function quoted(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

const MOST_NAMES = 2_000;
const LONGEST_NAME = 40;
const names = new Map<string, string>();

/** The same few names come again and again. */
function name(key: string): string {
  const known = names.get(key);
  if (known !== undefined) return known;
  const text = quoted(key);
  if (names.size < MOST_NAMES && key.length <= LONGEST_NAME) names.set(key, text);
  return text;
}
