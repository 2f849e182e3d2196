import { type Config, type Disposer, messageOf, systemClock } from '@wrongstack/contracts';
import type { DisposalScope, Plugin, PluginAPI } from '@wrongstack/kernel';
import { PluginError } from '../loader/plugin-error.js';
import { changedConfigFor, configForPlugin, pluginOptions } from '../loader/plugin-options.js';
import type { CapabilityGuard } from './capability-guard.js';
import { type CheckedSurface, withCheckedArguments } from './check-arguments.js';
import { commandSurface } from './command-surface.js';
import { createEventBudget } from './event-budget.js';
import type { FaultRecord } from './fault-record.js';
import type { OwnedServers } from './owned-servers.js';
import { ownHooks } from './own-hooks.js';
import type { PluginHost } from './plugin-host.js';
import { hooksView, registryViews } from './registry-views.js';
import { scopedContainer } from './scoped-container.js';
import { scopedLog } from './scoped-log.js';
import { scopedPipelines } from './scoped-pipelines.js';
import { sessionSurface } from './session-surface.js';
import { toolSurface } from './tool-surface.js';

export interface PluginApiParts {
  readonly host: PluginHost;
  readonly guard: CapabilityGuard;
  readonly scope: DisposalScope;
  readonly servers: OwnedServers;
  readonly faults: FaultRecord;
}

/** The scoped API of one plugin. Everything registered through it is added to `scope`. */
export function createPluginApi(plugin: Plugin, parts: PluginApiParts): PluginAPI {
  const { name } = plugin;
  const { host, guard, scope, servers, faults } = parts;
  const log = scopedLog(host.log, name);
  let open = true;
  scope.add(() => {
    open = false;
  });
  const track = (disposer: Disposer): Disposer => {
    if (open) return scope.add(disposer);
    // A registration after unloading would stay for ever.
    disposer();
    throw new PluginError('plugin.unloaded', name, 'registered something after it was unloaded');
  };
  const checked = <T extends object>(surface: CheckedSurface, of: T): T =>
    withCheckedArguments(name, surface, of);
  // Options are checked now; the copies that most small plugins never look at are made when they do.
  const now = host.config.current;
  const options = pluginOptions(plugin, now);
  const config = once(() => configForPlugin(plugin, now, options));
  const pipelines = once(() => scopedPipelines(host.pipelines, name, guard, track));
  const container = once(() =>
    checked(
      'api.container',
      scopedContainer(
        host.container,
        name,
        (key, binding) => track(host.container.bind(key, binding)),
        registryViews({
          host,
          plugin: name,
          api: () => api,
          config: () => changedConfigFor(plugin, host.config.current),
        }),
        (hooks) => hooksView(hooks, name, guard, track),
      ),
    ),
  );
  const spend = createEventBudget(name, host.clock ?? systemClock);
  const emitCustom = (event: string, payload: unknown): void => {
    try {
      spend();
    } catch (error) {
      faults.add('plugin.event_flood', error);
      throw error;
    }
    host.events.emitCustom(event, payload);
  };
  // What a listener throws is put down to its plugin; the bus only knows that somebody's failed.
  const watched =
    <A extends unknown[]>(listener: (...args: A) => unknown) =>
    (...args: A): void => {
      const failed = (error: unknown): void => {
        faults.add('plugin.hook_failed', error);
        log.warn('a listener failed', { message: messageOf(error) });
      };
      try {
        const result = listener(...args);
        if (result instanceof Promise) result.catch(failed);
      } catch (error) {
        failed(error);
      }
    };
  // A dot in a name would let the plugin `a.b` write into what `b.c` is of the plugin `a`; no name holds a colon.
  const prefix = `plugin.${name.replaceAll('.', ':')}.`;
  const prefixed = (metric: string): string => prefix + metric;

  const api: PluginAPI = checked<PluginAPI>('api', {
    get container() {
      return container();
    },
    get pipelines() {
      return pipelines();
    },
    events: checked('api.events', {
      // Raw subscriptions: the plugin removes them itself, and unloading removes what it forgot.
      on: (event: string, listener: (payload: unknown) => void) =>
        track(host.events.on(event, watched(listener))),
      once: (event, listener) => track(host.events.once(event, watched(listener))),
      onPattern: (pattern, listener) => track(host.events.onPattern(pattern, watched(listener))),
      emitCustom,
    } satisfies PluginAPI['events']),
    tools: checked('api.tools', toolSurface(name, host, guard, track)),
    providers: checked<PluginAPI['providers']>('api.providers', {
      register(factory) {
        guard.use('providers');
        return track(host.providers.register(factory));
      },
      create: (type, options) => host.providers.create(type, options),
      list: () => host.providers.list(),
    }),
    get mcp() {
      return servers.surface;
    },
    slashCommands: checked('api.slashCommands', commandSurface(name, host, guard, track)),
    get config() {
      return config();
    },
    log,
    onEvent: (event: string, handler: (payload: unknown) => void) =>
      track(host.events.on(event, watched(handler))),
    onPattern: (pattern, handler) => track(host.events.onPattern(pattern, watched(handler))),
    emitCustom,
    onConfigChange: (handler) =>
      track(
        host.config.watch(
          watched((next: Config, previous: Config) =>
            handler(changedConfigFor(plugin, next), changedConfigFor(plugin, previous)),
          ),
        ),
      ),
    extensions: checked<PluginAPI['extensions']>('api.extensions', {
      register(hooks) {
        guard.use('hooks');
        return track(host.lifecycle.register(ownHooks(hooks, name)));
      },
    }),
    session: sessionSurface(name, host),
    metrics: checked<PluginAPI['metrics']>('api.metrics', {
      counter: (metric, value, labels) => host.metrics.counter(prefixed(metric), value, labels),
      histogram: (metric, value, labels) => host.metrics.histogram(prefixed(metric), value, labels),
      gauge: (metric, value, labels) => host.metrics.gauge(prefixed(metric), value, labels),
    }),
    registerSystemPromptContributor: (contributor) =>
      track(host.addSystemPromptContributor(contributor, name)),
  });
  return api;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
