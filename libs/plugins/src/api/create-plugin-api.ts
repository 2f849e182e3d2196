import {
  type Config,
  type Disposer,
  messageOf,
  type SlashCommand,
  systemClock,
  type Tool,
  WrongStackError,
} from '@wrongstack/contracts';
import { type DisposalScope, type Plugin, type PluginAPI, type StreamingTool } from '@wrongstack/kernel';
import { PluginError } from '../loader/plugin-error.js';
import { changedConfigFor, configForPlugin, pluginOptions } from '../loader/plugin-options.js';
import type { CapabilityGuard } from './capability-guard.js';
import { createEventBudget } from './event-budget.js';
import type { FaultRecord } from './fault-record.js';
import type { OwnedServers } from './owned-servers.js';
import type { PluginHost } from './plugin-host.js';
import { hooksView, registryViews } from './registry-views.js';
import { scopedContainer } from './scoped-container.js';
import { scopedLog } from './scoped-log.js';
import { scopedPipelines } from './scoped-pipelines.js';

const BUILT_IN_ENTRY = /^[a-z_]+$/;

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
  // Options are checked now; the copies that most small plugins never look at are made when they do.
  const now = host.config.current;
  const options = pluginOptions(plugin, now);
  const config = once(() => configForPlugin(plugin, now, options));
  const pipelines = once(() => scopedPipelines(host.pipelines, name, guard, track));
  const container = once(() =>
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

  const api: PluginAPI = Object.freeze<PluginAPI>({
    get container() {
      return container();
    },
    get pipelines() {
      return pipelines();
    },
    events: {
      // Raw subscriptions: the plugin removes them itself, and unloading removes what it forgot.
      on: (event: string, listener: (payload: unknown) => void) =>
        track(host.events.on(event, watched(listener))),
      once: (event, listener) => track(host.events.once(event, watched(listener))),
      onPattern: (pattern, listener) => track(host.events.onPattern(pattern, watched(listener))),
      emitCustom,
    },
    tools: toolSurface(name, host, guard, track),
    providers: {
      register(factory) {
        guard.use('providers');
        return track(host.providers.register(factory));
      },
      create: (type, options) => host.providers.create(type, options),
      list: () => host.providers.list(),
    },
    get mcp() {
      return servers.surface;
    },
    slashCommands: commandSurface(name, host, guard, track),
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
    extensions: {
      register(hooks) {
        guard.use('hooks');
        return track(host.lifecycle.register({ ...hooks, owner: name }));
      },
    },
    session: {
      async append(entry) {
        checkEntry(name, entry);
        if (BUILT_IN_ENTRY.test(entry.type)) {
          throw new WrongStackError(
            'plugin.sealed',
            `plugin ${name}: session entry ${entry.type} is built in`,
            {
              hint: `name yours ${name}:event`,
            },
          );
        }
        await host.appendToSession(entry);
      },
    },
    metrics: {
      counter: (metric, value, labels) => host.metrics.counter(prefixed(metric), value, labels),
      histogram: (metric, value, labels) => host.metrics.histogram(prefixed(metric), value, labels),
      gauge: (metric, value, labels) => host.metrics.gauge(prefixed(metric), value, labels),
    },
    registerSystemPromptContributor: (contributor) =>
      track(host.addSystemPromptContributor(contributor, name)),
  });
  return api;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** What an author's code hands over may be anything. Throws `session.invalid`. */
function checkEntry(plugin: string, entry: unknown): void {
  const { type, ts } = (entry ?? {}) as Readonly<Record<string, unknown>>;
  const fault =
    typeof type !== 'string' || type === ''
      ? 'a type, a text'
      : typeof ts !== 'string' || Number.isNaN(Date.parse(ts))
        ? 'ts, an ISO 8601 time'
        : null;
  if (fault === null) return;
  throw new WrongStackError('session.invalid', `plugin ${plugin}: a session entry needs ${fault}`);
}

function commandSurface(
  name: string,
  { slashCommands }: PluginHost,
  guard: CapabilityGuard,
  track: (disposer: Disposer) => Disposer,
): PluginAPI['slashCommands'] {
  // Commands are for the person to type: /yolo in the hands of a plugin would be a yes of nobody's.
  const seen = (command: SlashCommand): SlashCommand =>
    command.owner === name
      ? command
      : {
          ...command,
          execute: async () => {
            throw new WrongStackError(
              'plugin.sealed',
              `plugin ${name}: /${command.name} is the person's to type`,
            );
          },
        };
  return {
    register(command) {
      guard.use('slashCommands');
      return track(
        slashCommands.register({ ...command, execute: command.execute.bind(command), owner: name }),
      );
    },
    unregister: (command) => slashCommands.get(command)?.owner === name && slashCommands.unregister(command),
    get(command) {
      const found = slashCommands.get(command);
      return found === undefined ? undefined : seen(found);
    },
    list: () => slashCommands.list().map(seen),
  };
}

function toolSurface(
  name: string,
  host: PluginHost,
  guard: CapabilityGuard,
  track: (disposer: Disposer) => Disposer,
): PluginAPI['tools'] {
  const register = (tool: Tool | StreamingTool): Disposer => {
    guard.use('tools');
    return track(host.tools.register(tool, name));
  };
  return {
    register,
    registerAll: (tools) =>
      tools
        .filter((tool) => host.tools.get(tool.name) === undefined)
        .map((tool) => (register(tool), tool.name)),
    wrap(tool, wrapper) {
      if (host.tools.get(tool)?.owner !== name) guard.use('mutation');
      return track(host.tools.wrap(tool, wrapper, name));
    },
    unregister(tool) {
      if (host.tools.get(tool)?.owner !== name) guard.use('mutation');
      host.tools.unregister(tool, name);
    },
    get: (tool) => host.tools.get(tool),
    list: () => host.tools.list(),
  };
}
