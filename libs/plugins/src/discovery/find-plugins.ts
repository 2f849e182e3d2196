import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { codeOf, type Config, nothingAt, type PluginSettings } from '@wrongstack/contracts';
import { PluginError } from '../loader/plugin-error.js';
import { findEntry } from './find-entry.js';
import type { FaultyPlugin, FoundPlugin, FoundPlugins, PluginPlace } from './plugin-source.js';

export interface PluginPlaces {
  /** `~/.wrongstack`. */
  readonly agentHome: string;
  readonly home: string;
  /** Null outside a project. */
  readonly projectRoot: string | null;
  readonly config: Pick<Config, 'plugins'>;
}

/**
 * Every plugin on disk, in the order in which they load: those that the configuration names, the person's own, the
 * project's. Runs none of their code and never rejects: what cannot be read is listed with its reason.
 */
export function findPlugins(places: PluginPlaces): FoundPlugins {
  const settings = settingsByName(places.config.plugins);
  const { agentHome, projectRoot } = places;
  const named = [...settings].flatMap(([name, one]) =>
    one.path === undefined ? [] : [{ name, place: 'config' as const, folder: absolute(one.path, places) }],
  );
  const own = path.join(agentHome, 'plugins');
  const project = projectRoot === null ? null : path.join(projectRoot, '.wrongstack', 'plugins');
  const folders = [
    ...named,
    ...foldersIn(own, 'user'),
    // In one's own home the two are one folder, and it is the person's.
    ...(project === null || isSameFolder(own, project) ? [] : foldersIn(project, 'project')),
  ];
  const enabled = folders.filter(({ name }) => settings.get(name)?.enabled !== false);
  const looked = enabled.map(look);
  return {
    found: looked.filter((one): one is FoundPlugin => 'entry' in one),
    faulty: looked.filter((one): one is FaultyPlugin => 'error' in one),
    disabled: folders.filter((one) => !enabled.includes(one)).map(({ name }) => name),
  };
}

function isSameFolder(one: string, other: string): boolean {
  try {
    return realpathSync.native(one) === realpathSync.native(other);
  } catch {
    return false;
  }
}

/** `plugins` is a map by name or a list of settings that carry one. */
export function settingsByName(plugins: Config['plugins']): ReadonlyMap<string, PluginSettings> {
  if (Array.isArray(plugins)) {
    const listed = plugins as readonly (PluginSettings & { readonly name: string })[];
    return new Map(listed.map((one) => [one.name, one]));
  }
  return new Map(Object.entries(plugins as Readonly<Record<string, PluginSettings>>));
}

interface PluginFolder {
  readonly name: string;
  readonly place: PluginPlace;
  readonly folder: string;
  /** The path is real, and a folder's. */
  readonly plain?: boolean;
  /** Why it could not even be looked into. */
  readonly fault?: unknown;
}

function foldersIn(parent: string, place: PluginPlace): readonly PluginFolder[] {
  let entries: readonly Dirent[];
  let real: string;
  try {
    entries = readdirSync(parent, { withFileTypes: true });
    real = realpathSync.native(parent);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && nothingAt(parent)) return [];
    // What stands there and cannot be listed may have held what restricts: named like a plugin that cannot be read.
    return [{ name: path.basename(parent), place, folder: parent, fault: error }];
  }
  return entries
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((entry) => ({
      name: entry.name,
      place,
      folder: path.join(real, entry.name),
      plain: entry.isDirectory(),
    }));
}

function look({ name, place, folder, plain = false, fault }: PluginFolder): FoundPlugin | FaultyPlugin {
  if (fault !== undefined) return { name, place, root: folder, error: asPluginError(name, folder, fault) };
  try {
    if (plain) return { name, place, root: folder, entry: findEntry(name, folder) };
    const real = realpathSync.native(folder);
    if (statSync(real).isFile()) return { name, place, root: path.dirname(real), entry: real };
    return { name, place, root: real, entry: findEntry(name, real) };
  } catch (error) {
    return { name, place, root: folder, error: asPluginError(name, folder, error) };
  }
}

function asPluginError(name: string, folder: string, error: unknown): PluginError {
  if (error instanceof PluginError) return error;
  const code = codeOf(error) === 'ENOENT' ? 'plugin.not_found' : 'plugin.unreadable';
  return new PluginError(code, name, `${folder} cannot be read (${codeOf(error)})`, { cause: error });
}

/** A path in the person's own file: absolute, below `~`, or relative to that file. */
function absolute(wanted: string, { home, agentHome }: PluginPlaces): string {
  if (wanted === '~' || wanted.startsWith('~/')) return path.join(home, wanted.slice(1));
  return path.resolve(agentHome, wanted);
}
