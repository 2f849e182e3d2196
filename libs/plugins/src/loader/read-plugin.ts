import { messageOf } from '@wrongstack/contracts';
import type { Plugin } from '@wrongstack/kernel';
import { PluginError } from './plugin-error.js';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isFunction: Check = (value) => typeof value === 'function';
const isObject: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const isDependency: Check = (value) => {
  if (isText(value)) return true;
  if (!isObject(value)) return false;
  const { name, version } = value as Readonly<Record<string, unknown>>;
  return isText(name) && (version === undefined || isText(version));
};
const isDependencies: Check = (value) => Array.isArray(value) && value.every(isDependency);
const isCapabilities: Check = (value) =>
  isObject(value) &&
  Object.entries(value as object).every(([key, one]) =>
    key === 'pipelines' || key === 'toolMutateCapabilities'
      ? one === undefined || isTexts(one)
      : one === undefined || typeof one === 'boolean',
  );

const FIELDS: Readonly<Record<string, readonly [Check, string]>> = {
  version: [isText, 'a string'],
  description: [isText, 'a string'],
  apiVersion: [isText, 'a string'],
  capabilities: [
    isCapabilities,
    'an object of booleans, with lists of names in pipelines and toolMutateCapabilities',
  ],
  dependsOn: [isDependencies, 'a list of names or { name, version }'],
  optionalDeps: [isDependencies, 'a list of names or { name, version }'],
  conflictsWith: [isTexts, 'a list of names'],
  defaultConfig: [isObject, 'an object'],
  configSchema: [isObject, 'an object'],
};
const CHECKS = Object.entries(FIELDS);
const METHODS = ['setup', 'teardown', 'health'] as const;

/**
 * A plugin as it is now. What a module exports may be anything, getters that throw or answer differently each time
 * included: each field is read once and checked, and nobody looks at the export again. Methods run on the author's own
 * object. Throws `plugin.invalid` and names the field.
 */
export function readPlugin(exported: Plugin): Plugin {
  const name = textOf(exported);
  const invalid = (fault: string, cause?: unknown): PluginError =>
    new PluginError('plugin.invalid', name, fault, { cause });
  const read = (key: string): unknown => {
    try {
      return Reflect.get(exported, key);
    } catch (error) {
      throw invalid(`${key} cannot be read: ${messageOf(error)}`, error);
    }
  };
  const plugin: Record<string, unknown> = { name };
  for (const [key, [check, wanted]] of CHECKS) {
    const value = read(key);
    if (value === undefined) continue;
    if (!safely(check, value)) throw invalid(`${key} must be ${wanted}`);
    plugin[key] = value;
  }
  for (const key of METHODS) {
    const method = read(key);
    if (method === undefined) continue;
    if (!isFunction(method)) throw invalid(`${key} must be a function`);
    plugin[key] = (...given: unknown[]): unknown =>
      // `apply` of an untyped function says `any`.
      Reflect.apply(method as () => unknown, exported, given) as unknown;
  }
  // Every field was checked above, but for a missing setup, which the loader reports.
  return plugin as unknown as Plugin;
}

function textOf(exported: Plugin): string {
  try {
    const name: unknown = exported.name;
    return typeof name === 'string' ? name : '(nameless)';
  } catch {
    return '(nameless)';
  }
}

function safely(check: Check, value: unknown): boolean {
  try {
    return check(value);
  } catch {
    return false;
  }
}
