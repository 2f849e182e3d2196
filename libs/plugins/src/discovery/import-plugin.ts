import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '@wrongstack/contracts';
import { type Plugin, withinDeadline } from '@wrongstack/kernel';
import { PluginError } from '../loader/plugin-error.js';
import { deadlineOf, SETUP_MS } from '../loader/deadline.js';
import { readPlugin } from '../loader/read-plugin.js';
import { refuseChangedGlobals, rememberGlobals, restoreGlobals } from '../loader/shared-globals.js';
import { isToolModule, pluginOfModule } from '../loader/tool-module.js';
import { type HostModules, provideHostModules } from './host-modules.js';
import type { FoundPlugin } from './plugin-source.js';

export interface ImportOptions {
  readonly hostModules: HostModules;
  /** Milliseconds; 30,000 by default. A module may wait for something at its top level. */
  readonly timeoutMs?: number;
  /** Given when the plugin was loaded before and its content has changed since: takes the module anew. */
  readonly version?: string;
  readonly importModule?: (url: string) => Promise<unknown>;
}

const OURS = '@wrongstack/';
/** Files and folders that are looked at; beyond that our modules are provided, needed or not. */
const MOST_SEEN = 500;

/** Run a plugin's module. Throws a PluginError whatever the module does. */
export async function importPlugin(found: FoundPlugin, options: ImportOptions): Promise<Plugin> {
  const { importModule = (url: string): Promise<unknown> => import(url) } = options;
  const timeoutMs = deadlineOf('timeoutMs', options.timeoutMs, SETUP_MS);
  // Whoever brings a loader of their own answers for what it resolves.
  const ownLoader = options.importModule !== undefined;
  if (!ownLoader && (options.version !== undefined || namesHostModule(found, options.hostModules))) {
    await provideHostModules(options.hostModules);
  }
  const url = pathToFileURL(found.entry).href;
  if (options.version !== undefined) forgetRequired(found.root);
  rememberGlobals();
  let module: unknown;
  try {
    module = await withinDeadline(`import of ${found.name}`, timeoutMs, () =>
      importModule(options.version === undefined ? url : `${url}?wrongstack=${options.version}`),
    );
  } catch (error) {
    restoreGlobals();
    const late = error instanceof Error && 'code' in error && error.code === 'hook.timeout';
    throw new PluginError(
      late ? 'plugin.import_timeout' : 'plugin.import_failed',
      found.name,
      `cannot be imported: ${messageOf(error)}`,
      { cause: error },
    );
  }
  // Where several are imported at once, it is the one whose module has just been run.
  refuseChangedGlobals(found.name);
  try {
    return readPlugin(named(found, pluginIn(found, module)));
  } catch (error) {
    if (error instanceof PluginError) throw error;
    const fault = `what it exports cannot be read: ${messageOf(error)}`;
    throw new PluginError('plugin.invalid', found.name, fault, { cause: error });
  }
}

/** A default export, CommonJS's whole export, the default of transpiled CommonJS, or the cookbook's named exports. */
function pluginIn({ name }: FoundPlugin, module: unknown): Plugin {
  const outer = member(module, 'default');
  for (const candidate of [member(outer, 'default'), outer, module]) {
    if (typeof candidate !== 'object' || candidate === null) continue;
    if (typeof member(candidate, 'setup') === 'function') return candidate as Plugin;
    if (isToolModule(candidate)) return pluginOfModule(candidate);
  }
  throw new PluginError('plugin.no_plugin', name, 'exports no plugin', {
    hint: 'export default { name, setup(api) {…} }, or export name, inject and apply(ctx)',
  });
}

function named({ name }: FoundPlugin, plugin: Plugin): Plugin {
  const own: unknown = plugin.name;
  if (own === name) return plugin;
  throw new PluginError(
    'plugin.name_mismatch',
    name,
    `calls itself ${typeof own === 'string' ? own : 'nothing'}, but lies under the name ${name}`,
    { hint: 'policies know a plugin by the name of its folder: rename one of the two' },
  );
}

function member(value: unknown, key: string): unknown {
  return (typeof value === 'object' || typeof value === 'function') && value !== null
    ? Reflect.get(value, key)
    : undefined;
}

/** Types are gone when a plugin is compiled, so most plugins name no module of ours and none has to be provided. */
function namesHostModule({ root, entry }: FoundPlugin, modules: HostModules): boolean {
  if (Object.keys(modules).length === 0) return false;
  const text = readFileSync(entry, 'utf8');
  if (text.includes(OURS)) return true;
  // What loads nothing is all there is to it, and the folder around it may be somebody's whole home.
  if (!/import|require|from/i.test(text)) return false;
  let seen = 0;
  const visit = (folder: string): boolean =>
    readdirSync(folder, { withFileTypes: true }).some((one) => {
      if (one.name === 'node_modules' || one.name.startsWith('.')) return false;
      seen += 1;
      if (seen > MOST_SEEN) return true;
      const file = path.join(folder, one.name);
      if (one.isDirectory()) return visit(file);
      return one.isFile() && /\.[cm]?js$/.test(one.name) && readFileSync(file, 'utf8').includes(OURS);
    });
  return visit(root);
}

function forgetRequired(root: string): void {
  const { cache } = createRequire(path.join(root, 'index.js'));
  for (const file of Object.keys(cache))
    if (file.startsWith(root + path.sep)) Reflect.deleteProperty(cache, file);
}
