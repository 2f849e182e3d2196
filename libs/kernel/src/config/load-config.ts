import { realpathSync } from 'node:fs';
import { deepFreeze } from '@wrongstack/contracts';
import type { Config } from '@wrongstack/contracts';
import { checkLayer, isRecord, readLayerFile } from './config-layer.js';
import type { ConfigLayer } from './config-layer.js';
import { DEFAULT_CONFIG } from './defaults.js';
import { projectLayer } from './project-layer.js';

export interface ConfigSources {
  /** `~/.wrongstack/config.json`. */
  readonly userFile: string;
  /** The repository's own `.wrongstack/config.json`; null outside a project. */
  readonly projectFile: string | null;
  /** Values that the app took from the environment. Never read from files of the project. */
  readonly environment?: ConfigLayer;
  /** Command-line options, already parsed: values here are values, whatever they look like. */
  readonly overrides?: ConfigLayer;
}

export interface LoadedConfig {
  readonly config: Config;
  /** What the repository's file asked for and did not get, by name. */
  readonly ignored: readonly string[];
}

/**
 * Layers, weakest first: defaults, the user's file, the environment, the command line. The repository's file comes last
 * because it can only tighten what the others say. Throws `config.invalid` or `config.unreadable`.
 */
export async function loadConfig(sources: ConfigSources): Promise<LoadedConfig> {
  const { userFile } = sources;
  const userRaw = await readLayerFile(userFile);
  const layers = [
    userRaw === undefined ? {} : checkLayer(userRaw, userFile),
    checkedUnlessEmpty(sources.environment, 'environment'),
    checkedUnlessEmpty(sources.overrides, 'command line'),
  ];
  const own = mergeLayers([DEFAULT_CONFIG, ...layers]);
  const file = sources.projectFile;
  // Started in the home folder, both are one, and it is the person's own.
  const raw = file === null || isSameFile(file, userFile) ? undefined : await readLayerFile(file);
  const project = projectLayer(raw, own, file ?? '');
  return { config: deepFreeze(mergeLayers([own, project.layer])), ignored: project.ignored };
}

function isSameFile(one: string, other: string): boolean {
  if (one === other) return true;
  try {
    return realpathSync.native(one) === realpathSync.native(other);
  } catch {
    return false;
  }
}

/** Sections merge key by key; entries by name (tools, prices, plugins, extensions, mcp) merge one level deeper. */
export function mergeLayers(layers: readonly ConfigLayer[]): Config {
  const merged: Record<string, unknown> = {};
  for (const layer of layers) {
    for (const [section, value] of Object.entries(layer)) {
      if (section === '$schema' || value === undefined) continue;
      merged[section] = mergeSection(merged[section], value, BY_NAME.has(section) ? 2 : 1);
    }
  }
  // Every layer was checked against the schema, and the defaults hold what is required.
  return merged as unknown as Config;
}

const BY_NAME: ReadonlySet<string> = new Set(['tools', 'prices', 'plugins', 'extensions', 'mcp']);

function mergeSection(below: unknown, above: unknown, depth: number): unknown {
  if (depth === 0 || !isRecord(below) || !isRecord(above)) return copy(above);
  const merged: Record<string, unknown> = { ...below };
  for (const [key, value] of Object.entries(above)) {
    if (value === undefined || key === '__proto__') continue;
    merged[key] = Object.hasOwn(merged, key) ? mergeSection(merged[key], value, depth - 1) : copy(value);
  }
  return merged;
}

// Snapshots are frozen; nobody else's object may be.
function copy(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? structuredClone(value) : value;
}

// A layer that says nothing costs nothing: compiling the schema is most of a short command's start-up.
function checkedUnlessEmpty(layer: ConfigLayer | undefined, where: string): ConfigLayer {
  if (layer === undefined || Object.keys(layer).length === 0) return {};
  return checkLayer(layer, where);
}
