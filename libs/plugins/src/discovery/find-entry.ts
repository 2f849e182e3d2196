import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { codeOf, messageOf } from '@wrongstack/contracts';
import { PluginError } from '../loader/plugin-error.js';

const INDEXES = ['index.js', 'index.mjs', 'index.cjs'] as const;

/**
 * The module that a plugin's folder names: `exports`, then `main` of its package.json, then an index file. `root` is a real
 * path. Throws a PluginError that says what is wrong with the package; nothing is run. Synchronous: a start waits for it
 * anyway, and for many small folders that is several times quicker. So is one look at the folder before each file is asked
 * for by name.
 */
export function findEntry(name: string, root: string): string {
  const present = readdirSync(root, { withFileTypes: true });
  const find = (wanted: string): Dirent | undefined => present.find((one) => one.name === wanted);
  const manifest = find('package.json') === undefined ? {} : readPackage(name, root);
  const named = entryOfPackage(name, manifest);
  const candidates = named === undefined ? INDEXES.filter(find) : [named];
  for (const candidate of candidates) {
    // What is a file here, and no link, is where it says.
    const plain = find(candidate)?.isFile() === true;
    const file = plain ? path.join(root, candidate) : moduleAt(path.join(root, candidate));
    if (file === undefined) continue;
    if (!plain && !isInside(root, file)) {
      throw new PluginError('plugin.package_invalid', name, `its entry ${candidate} lies outside its folder`);
    }
    return file;
  }
  if (moduleAt(path.join(root, 'index.ts')) !== undefined) {
    throw new PluginError('plugin.not_compiled', name, `${root} holds index.ts but nothing to run`, {
      hint: 'compile it (tsc) so that there is an index.js, or name the output as "main" in package.json',
    });
  }
  throw new PluginError(
    'plugin.package_invalid',
    name,
    `${root} has no ${named ?? 'index.js, and no package.json that names an entry'}`,
    { hint: 'name the module as "main" or "exports" in package.json' },
  );
}

function readPackage(name: string, root: string): Readonly<Record<string, unknown>> {
  const file = path.join(root, 'package.json');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new PluginError('plugin.unreadable', name, `${file} cannot be read (${codeOf(error)})`, {
      cause: error,
    });
  }
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Readonly<Record<string, unknown>>;
    }
  } catch (error) {
    throw new PluginError('plugin.package_invalid', name, `${file} is not valid JSON: ${messageOf(error)}`, {
      cause: error,
    });
  }
  throw new PluginError('plugin.package_invalid', name, `${file} is no JSON object`);
}

function entryOfPackage(name: string, manifest: Readonly<Record<string, unknown>>): string | undefined {
  const exported = exportedEntry(manifest['exports']);
  const entry = exported ?? manifest['main'] ?? manifest['module'];
  if (entry === undefined) return undefined;
  if (typeof entry !== 'string' || entry === '') {
    throw new PluginError('plugin.package_invalid', name, 'the entry in its package.json is no file name');
  }
  return entry;
}

/** `"."`, a plain string, and the conditions that fit us; sub-paths are for others. */
function exportedEntry(exports: unknown): unknown {
  if (typeof exports === 'string' || exports === undefined) return exports;
  if (typeof exports !== 'object' || exports === null || Array.isArray(exports)) return undefined;
  const conditions = exports as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(conditions, '.')) return exportedEntry(conditions['.']);
  for (const condition of ['import', 'node', 'default', 'require']) {
    if (Object.hasOwn(conditions, condition)) return exportedEntry(conditions[condition]);
  }
  return undefined;
}

function moduleAt(file: string): string | undefined {
  for (const candidate of [file, `${file}.js`, path.join(file, 'index.js')]) {
    if (isFile(candidate)) return realpathSync.native(candidate);
  }
  return undefined;
}

function isFile(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    // Below something that is a file itself, or out of reach.
    return false;
  }
}

function isInside(root: string, file: string): boolean {
  const relative = path.relative(root, file);
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
}
