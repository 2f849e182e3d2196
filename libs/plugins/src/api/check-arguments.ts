import { messageOf } from '@wrongstack/contracts';
import { PluginError } from '../loader/plugin-error.js';
import { type Argument, type ArgumentRule, ARGUMENTS } from './argument-rules.js';

/** What the rules list: `api.tools`, `api.events`, … A pipeline is `api.pipelines.*`, whatever it is called. */
export type CheckedSurface = keyof typeof ARGUMENTS;
type Method = (...args: unknown[]) => unknown;

/** Whose checked methods all answer with a promise. */
const ANSWER_LATER: ReadonlySet<CheckedSurface> = new Set<CheckedSurface>(['api.mcp']);

/**
 * The same surface, whose methods look at what they are given before anything of the host does: a plugin in plain JavaScript
 * may hand over anything. They throw `plugin.argument_invalid`, which names method and argument; those that answer with a
 * promise reject with it. `shown` is what the surface is called in the message.
 */
export function withCheckedArguments<T extends object>(
  plugin: string,
  surface: CheckedSurface,
  of: T,
  shown: string = surface,
): T {
  const members = Object.getOwnPropertyDescriptors(of) as Record<string, PropertyDescriptor>;
  const rules: Readonly<Record<string, readonly Argument[]>> = ARGUMENTS[surface];
  const later = ANSWER_LATER.has(surface);
  for (const [name, taken] of Object.entries(rules)) {
    const member = members[name];
    if (typeof member?.value !== 'function') continue;
    const refuse = (fault: Fault): unknown => {
      const error = new PluginError('plugin.argument_invalid', plugin, `${shown}.${name}: ${fault.text}`, {
        path: fault.path,
      });
      if (later) return Promise.reject(error);
      throw error;
    };
    members[name] = { ...member, value: checked(taken, member.value as Method, refuse) };
  }
  // Of the same members, and of the same class.
  return Object.freeze(Object.create(Object.getPrototypeOf(of) as object | null, members)) as T;
}

interface Fault {
  readonly path: string;
  readonly text: string;
}

function checked(taken: readonly Argument[], call: Method, refuse: (fault: Fault) => unknown): Method {
  return (...args) => {
    const fault = faultIn(taken, args);
    return fault === null ? call(...args) : refuse(fault);
  };
}

function faultIn(taken: readonly Argument[], args: readonly unknown[]): Fault | null {
  for (const [index, { name, rule }] of taken.entries()) {
    const fault = faultOf(name, rule, () => args[index]);
    if (fault !== null) return fault;
  }
  return null;
}

function faultOf(path: string, rule: ArgumentRule, read: () => unknown): Fault | null {
  try {
    const value = read();
    if (!rule.fits(value)) return { path, text: `${path} must be ${rule.wanted}, and is ${kindOf(value)}` };
    if (value === undefined) return null;
    for (const [field, inner] of Object.entries(rule.fields ?? {})) {
      const fault = faultOf(`${path}.${field}`, inner, () => Reflect.get(value as object, field));
      if (fault !== null) return fault;
    }
    return null;
  } catch (error) {
    // A getter that throws, or a proxy that somebody revoked.
    return { path, text: `${path} cannot be read: ${messageOf(error)}` };
  }
}

/** In a word, and never by its content: it may be a secret, or no end of text. */
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === '') return 'an empty text';
  if (Array.isArray(value)) return 'a list';
  return typeof value;
}
