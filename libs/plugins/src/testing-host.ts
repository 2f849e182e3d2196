import type { Config, Logger, SessionEntry } from '@wrongstack/contracts';
import {
  Container,
  createPipelines,
  EventBus,
  InMemoryMetricsSink,
  LifecycleRegistry,
  ProviderRegistry,
  SlashCommandRegistry,
  ToolRegistry,
} from '@wrongstack/kernel';
import type { PluginHost } from './api/plugin-host.js';
import {
  createMutationGuard,
  type MutationAuthority,
  type MutationRule,
} from './mutation/plugin-mutation-guard.js';

/** For specs: real registries, with everything that was logged, appended or contributed in reach. */
export interface TestingHost extends PluginHost {
  readonly lines: string[];
  readonly entries: SessionEntry[];
  readonly contributors: Set<unknown>;
  readonly metrics: InMemoryMetricsSink;
  changeConfig(next: Config): void;
  /** Everything that a plugin can leave behind, counted. */
  registrations(): number;
}

export function createTestingHost(
  options: {
    readonly config?: Partial<Config>;
    readonly authority?: (plugin: string) => MutationAuthority | undefined;
    readonly rule?: MutationRule;
  } = {},
): TestingHost {
  const lines: string[] = [];
  const entries: SessionEntry[] = [];
  const contributors = new Set<unknown>();
  const watchers = new Set<(next: Config, previous: Config) => void>();
  let current = { plugins: {}, extensions: {}, ...options.config } as Config;
  const log = (level: string) => (message: string, fields?: unknown) => {
    lines.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`);
  };
  const logger: Logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
  const pipelines = createPipelines();
  const events = new EventBus();
  const slashCommands = new SlashCommandRegistry();
  const lifecycle = new LifecycleRegistry();
  const providers = new ProviderRegistry();
  const tools = new ToolRegistry({
    mayMutate: createMutationGuard(options.authority ?? (() => undefined), () => options.rule ?? 'superset'),
  });
  const removing = <T>(set: Set<T>, item: T): (() => void) => {
    set.add(item);
    return () => void set.delete(item);
  };
  return {
    lines,
    entries,
    contributors,
    container: new Container(),
    pipelines,
    events,
    tools,
    providers,
    slashCommands,
    lifecycle,
    config: {
      get current() {
        return current;
      },
      watch: (listener) => removing(watchers, listener),
    },
    log: logger,
    metrics: new InMemoryMetricsSink(),
    mcp: {
      start: async () => undefined,
      stop: async () => undefined,
      restart: async () => undefined,
      list: () => [],
    },
    appendToSession: async (entry) => void entries.push(entry),
    addSystemPromptContributor: (contributor) => removing(contributors, contributor),
    changeConfig(next) {
      const previous = current;
      current = next;
      for (const watcher of watchers) watcher(next, previous);
    },
    registrations: () =>
      events.listenerCount +
      tools.list().length +
      slashCommands.list().length +
      lifecycle.list().length +
      providers.list().length +
      contributors.size +
      watchers.size +
      pipelines.all().reduce((count, pipeline) => count + pipeline.list().length, 0),
  };
}
