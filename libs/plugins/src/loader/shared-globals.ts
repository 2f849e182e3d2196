import { PluginError } from './plugin-error.js';

// Taken before any plugin runs: what restores must not be made of what was replaced.
const { defineProperty, deleteProperty, getOwnPropertyDescriptor, ownKeys } = Reflect;

interface Known {
  readonly holder: object;
  readonly key: PropertyKey;
  readonly name: string;
  readonly as: PropertyDescriptor;
}

const PROCESS = ['exit', 'on', 'once', 'off', 'removeAllListeners', 'kill', 'nextTick'];
const FUNCTIONS = [
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'queueMicrotask',
  'structuredClone',
];
/** Everything of these. Nobody's plugin has a reason to replace them, and all of the host is made of them. */
const HOLDERS: readonly (readonly [string, object])[] = [
  ['Object', Object],
  ['Object.prototype', Object.prototype],
  ['Array', Array],
  ['Array.prototype', Array.prototype],
  ['String.prototype', String.prototype],
  ['Function.prototype', Function.prototype],
  ['Promise', Promise],
  ['Promise.prototype', Promise.prototype],
  ['RegExp.prototype', RegExp.prototype],
  ['Map.prototype', Map.prototype],
  ['Set.prototype', Set.prototype],
  ['JSON', JSON],
  ['Reflect', Reflect],
];
/** A member added to these turns up in every object, every list. */
const INHERITED: readonly { readonly name: string; readonly holder: object }[] = [
  { name: 'Object.prototype', holder: Object.prototype },
  { name: 'Array.prototype', holder: Array.prototype },
];

const MOST_NAMED = 5;

let known: readonly Known[] | null = null;

/** Remember what they are now, before the first plugin runs. */
export function rememberGlobals(): void {
  known ??= everyMember();
}

/**
 * Bring back what a plugin replaced of what it shares with the host and with all other plugins; returns the names. What was
 * added (a polyfill) is left alone, unless it would be inherited by every object. Loops by index, and takes nothing apart: an
 * iterator could be what was replaced.
 */
export function restoreGlobals(): readonly string[] {
  const changed: string[] = [];
  // First, since a descriptor is an object and would inherit it.
  for (let at = 0; at < INHERITED.length; at += 1) removeAdded(INHERITED[at], changed);
  const members = known ?? [];
  for (let at = 0; at < members.length; at += 1) {
    const member = members[at];
    if (member === undefined || isAsKnown(member)) continue;
    defineProperty(member.holder, member.key, member.as);
    changed[changed.length] = member.name;
  }
  return changed;
}

/** Throws `plugin.globals_changed` with their names; by then they are back. */
export function refuseChangedGlobals(plugin: string): void {
  const changed = restoreGlobals();
  if (changed.length === 0) return;
  throw new PluginError(
    'plugin.globals_changed',
    plugin,
    `changed ${changed.slice(0, MOST_NAMED).join(', ')}, which everything in this process shares; it was put back`,
  );
}

function everyMember(): readonly Known[] {
  const global: object = globalThis;
  return [
    ...HOLDERS.flatMap(([name, holder]) => membersOf(name, holder, ownKeys(holder))),
    ...membersOf('process', process, PROCESS),
    ...membersOf('globalThis', global, FUNCTIONS),
  ];
}

function membersOf(name: string, holder: object, keys: readonly PropertyKey[]): readonly Known[] {
  return keys.flatMap((key) => {
    const as = getOwnPropertyDescriptor(holder, key);
    return as?.configurable === true ? [{ holder, key, name: `${name}.${String(key)}`, as }] : [];
  });
}

function isAsKnown({ holder, key, as }: Known): boolean {
  // Nearly always, and a tenth of the time that a descriptor takes: this is asked of every member, three times a plugin.
  if (as.value !== undefined && (holder as Record<PropertyKey, unknown>)[key] === as.value) return true;
  const now = getOwnPropertyDescriptor(holder, key);
  return now !== undefined && now.value === as.value && now.get === as.get && now.set === as.set;
}

function removeAdded(from: (typeof INHERITED)[number] | undefined, changed: string[]): void {
  if (from === undefined) return;
  const { name, holder } = from;
  const keys = ownKeys(holder);
  for (let at = 0; at < keys.length; at += 1) {
    const key = keys[at] ?? '';
    if (getOwnPropertyDescriptor(holder, key)?.enumerable !== true) continue;
    if (deleteProperty(holder, key)) changed[changed.length] = `${name}.${String(key)}`;
  }
}
