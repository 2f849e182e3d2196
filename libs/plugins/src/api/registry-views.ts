import { type Config, type Disposer, type MetricsSink, WrongStackError } from '@wrongstack/contracts';
import type {
  ConfigStore,
  EventBus,
  LifecycleRegistry,
  PluginAPI,
  SlashCommandRegistry,
  ToolHooks,
  ToolRegistry,
} from '@wrongstack/kernel';
import type { CapabilityGuard } from './capability-guard.js';
import { withCheckedArguments } from './check-arguments.js';
import type { PluginHost } from './plugin-host.js';
import type { HostViews } from './scoped-container.js';
import { viewOf } from './view-of.js';

export interface ViewParts {
  readonly host: PluginHost;
  readonly plugin: string;
  readonly api: () => PluginAPI;
  /** The configuration as it is now, with this plugin's options in it. */
  readonly config: () => Config;
}

/** The host's registries as `container.resolve` gives them to one plugin: what its `api` can do, under the classes' names. */
export function registryViews({ host, plugin, api, config }: ViewParts): HostViews {
  const { tools, events, pipelines, slashCommands, lifecycle, metrics, log } = host;
  return new Map<unknown, () => object>([
    [tools, () => withCheckedArguments(plugin, 'api.tools', toolsView(tools, api().tools))],
    [events, () => eventsView(events, api().events)],
    [pipelines, () => api().pipelines],
    [slashCommands, () => viewOf<SlashCommandRegistry>(slashCommands, api().slashCommands)],
    [lifecycle, () => lifecycleView(lifecycle, api().extensions)],
    // Only the store can be resolved, of what the host is known to have as a reader.
    [host.config, () => configView(host.config as ConfigStore, plugin, api, config)],
    [metrics, () => viewOf<MetricsSink>(metrics, api().metrics)],
    [log, () => api().log],
  ]);
}

function toolsView(real: ToolRegistry, surface: PluginAPI['tools']): ToolRegistry {
  return viewOf(real, {
    ...surface,
    registerAllOrThrow(tools) {
      const disposers: Disposer[] = [];
      const undo = (): void => {
        for (const dispose of disposers.splice(0).reverse()) dispose();
      };
      try {
        for (const tool of tools) disposers.push(surface.register(tool));
      } catch (error) {
        undo();
        throw error;
      }
      return undo;
    },
    validate: (name, input) => real.validate(name, input),
  });
}

function eventsView(real: EventBus, surface: PluginAPI['events']): EventBus {
  return viewOf(real, {
    ...surface,
    // Refuses what is built in, so that nothing can pose as the kernel.
    emit: (name, payload) => surface.emitCustom(name, payload),
    get listenerCount() {
      return real.listenerCount;
    },
  });
}

function lifecycleView(real: LifecycleRegistry, surface: PluginAPI['extensions']): LifecycleRegistry {
  return viewOf(real, { register: (hooks) => surface.register(hooks), list: () => real.list() });
}

function configView(
  real: ConfigStore,
  plugin: string,
  api: () => PluginAPI,
  config: () => Config,
): ConfigStore {
  return viewOf(real, {
    get current() {
      return config();
    },
    watch: (listener) => api().onConfigChange(listener),
    update: () => {
      throw new WrongStackError('plugin.sealed', `plugin ${plugin}: the configuration belongs to the host`);
    },
  });
}

/** Hooks of the executor, under the plugin's name and until it is unloaded. */
export function hooksView(
  real: ToolHooks,
  plugin: string,
  guard: CapabilityGuard,
  track: (disposer: Disposer) => Disposer,
): ToolHooks {
  const view = viewOf(real, {
    preExecute(hook, options) {
      guard.use('hooks');
      return track(real.preExecute(hook, { ...options, owner: plugin }));
    },
    postExecute(hook, options) {
      guard.use('hooks');
      return track(real.postExecute(hook, { ...options, owner: plugin }));
    },
    list: () => real.list(),
  });
  return withCheckedArguments(plugin, 'ToolHooks', view);
}
