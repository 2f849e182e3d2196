import type { Clock, ConfigReader, Disposer, Logger, MetricsSink, SessionEntry } from '@wrongstack/contracts';
import type {
  Container,
  EventBus,
  LifecycleRegistry,
  Pipelines,
  PluginAPI,
  ProviderRegistry,
  SlashCommandRegistry,
  SystemPromptContributor,
  ToolRegistry,
} from '@wrongstack/kernel';

/** What the loader needs of the host: the real registries, from which each plugin gets a scoped view. */
export interface PluginHost {
  readonly container: Container;
  readonly pipelines: Pipelines;
  readonly events: EventBus;
  readonly tools: ToolRegistry;
  readonly providers: ProviderRegistry;
  readonly slashCommands: SlashCommandRegistry;
  readonly lifecycle: LifecycleRegistry;
  readonly config: ConfigReader;
  readonly log: Logger;
  readonly clock?: Clock;
  readonly metrics: MetricsSink;
  readonly mcp: PluginAPI['mcp'];
  appendToSession(entry: SessionEntry): Promise<void>;
  addSystemPromptContributor(contributor: SystemPromptContributor, owner: string): Disposer;
}
