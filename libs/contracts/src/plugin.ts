import type { Capability } from './capability.js';
import type { JSONSchema } from './json-schema.js';

/** The plugin API version that this host offers; a plugin's `apiVersion` range is compared with it. */
export const KERNEL_API_VERSION = '0.1.0';

export interface PluginCapabilities {
  readonly tools?: boolean;
  readonly providers?: boolean;
  readonly slashCommands?: boolean;
  readonly mcp?: boolean;
  readonly pipelines?: readonly string[];
  readonly hooks?: boolean;
  /** Capabilities of tools, owned by others, that this plugin may wrap or unregister. */
  readonly toolMutateCapabilities?: readonly Capability[];
}

export type PluginDependency = string | { readonly name: string; readonly version: string };

/** A default-exported plugin. `Api` is the PluginAPI of the plugins library. */
export interface PluginManifest {
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  /** Semver range against {@link KERNEL_API_VERSION}. */
  readonly apiVersion?: string;
  readonly capabilities?: PluginCapabilities;
  readonly dependsOn?: readonly PluginDependency[];
  readonly optionalDeps?: readonly PluginDependency[];
  readonly conflictsWith?: readonly string[];
  readonly configSchema?: JSONSchema;
  readonly defaultConfig?: Readonly<Record<string, unknown>>;
}
