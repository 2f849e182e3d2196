import { WrongStackError } from './errors.js';

/**
 * A frozen copy of plain JSON, members that are undefined left out: what somebody else's object turns into later is no
 * matter. Each member is read once. Throws `json.not_serialisable` on whatever JSON cannot hold, cycles included.
 */
export function frozenJson(value: unknown): unknown {
  return copy(value, []);
}

function copy(value: unknown, above: readonly object[]): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value !== 'object') throw notJson(`a ${typeof value}`);
  if (above.includes(value)) throw notJson('a cycle');
  const inside = [...above, value];
  if (Array.isArray(value)) return Object.freeze(value.map((item: unknown) => copy(item, inside)));
  // By its tag: the object may come from another realm.
  const tag = Object.prototype.toString.call(value);
  if (tag !== '[object Object]') throw notJson(tag.slice('[object '.length, -1));
  const members: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member: unknown = Reflect.get(value, key);
    if (member === undefined) continue;
    if (key === '__proto__')
      Object.defineProperty(members, key, { value: copy(member, inside), enumerable: true });
    else members[key] = copy(member, inside);
  }
  return Object.freeze(members);
}

function notJson(what: string): WrongStackError {
  return new WrongStackError('json.not_serialisable', `cannot write ${what} as JSON`);
}
