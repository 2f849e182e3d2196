import type { Plugin, PluginAPI } from '@wrongstack/kernel';

/** The cookbook's form of a module: `export const name`, `inject`, `apply(ctx)`. */
export interface ToolModule {
  readonly name: string;
  readonly inject?: readonly string[];
  apply(ctx: PluginAPI, config?: unknown): Promise<void> | void;
}

/** What a module may look like: its author may type `ctx` by the one surface that it uses. */
export interface LoadableModule {
  readonly name: string;
  readonly inject?: readonly string[];
  apply(ctx: never, config?: unknown): Promise<void> | void;
}

export function isToolModule(value: unknown): value is LoadableModule {
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
export function pluginOfModule(module: LoadableModule): Plugin {
  const inject = new Set(module.inject ?? []);
  return {
    name: module.name,
    capabilities: {
      tools: inject.has('tools'),
      providers: inject.has('providers'),
      slashCommands: inject.has('slashCommands'),
      mcp: inject.has('mcp'),
    },
    // Whatever its author called the type, the host's API is what a module gets.
    setup: (api) => module.apply(api as never, api.config.extensions[module.name]),
  };
}
