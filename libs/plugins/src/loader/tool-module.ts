import type { Plugin, PluginAPI } from '@wrongstack/kernel';

/** The cookbook's form of a module: `export const name`, `inject`, `apply(ctx)`. */
export interface ToolModule {
  readonly name: string;
  readonly inject?: readonly string[];
  apply(ctx: PluginAPI, config?: unknown): Promise<void> | void;
}

export function isToolModule(value: unknown): value is ToolModule {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    'apply' in value &&
    typeof value.apply === 'function'
  );
}

/** A module of that form as a plugin: `inject` names the surfaces that it uses. */
export function pluginOfModule(module: ToolModule): Plugin {
  const inject = new Set(module.inject ?? []);
  return {
    name: module.name,
    capabilities: {
      tools: inject.has('tools'),
      providers: inject.has('providers'),
      slashCommands: inject.has('slashCommands'),
      mcp: inject.has('mcp'),
    },
    setup: (api) => module.apply(api, api.config.extensions[module.name]),
  };
}
