import type {
  Config,
  ContentBlock,
  Context,
  CustomSessionEntry,
  Disposer,
  EventMap,
  EventName,
  LifecycleHooks,
  Logger,
  McpServerSettings,
  MetricLabels,
  PluginManifest,
  Provider,
  ProviderFactory,
  RegisteredTool,
  SlashCommand,
  Tool,
} from '@wrongstack/contracts';
import type { Container } from '../container/container.js';
import type { EventBus, PatternListener } from '../events/event-bus.js';
import type { Pipelines } from '../pipeline/create-pipelines.js';
import type { StreamingTool } from '../registry/streaming-tool.js';

/** A plugin: what a module exports by default. */
export interface Plugin extends PluginManifest {
  /**
   * Registers everything. Bounded (30 s); what it registered is taken back when it throws or runs out of time.
   * The host always passes the options; written as a rest so that a test may call `setup(api)` and an author may still
   * write `setup(api, { signal })`, which an optional parameter would not allow.
   */
  // A plugin keeps what it opened on itself (`this.timer = …`), under names that only it knows: hence `this: any`.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- its own fields, whose names only the plugin knows
  setup(this: any, api: PluginAPI, ...options: readonly SetupOptions[]): Promise<void> | void;
  /** Closes handles. Bounded (10 s); a throw is logged and stops nobody else. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as in setup: fields that only the plugin knows
  teardown?(this: any, api: PluginAPI): Promise<void> | void;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as in setup: fields that only the plugin knows
  health?(this: any): Promise<PluginHealth> | PluginHealth;
}

export interface SetupOptions {
  /** Aborts when the time for setup is over. */
  readonly signal: AbortSignal;
}

export interface PluginHealth {
  readonly ok: boolean;
  readonly message?: string;
}

/** Adds blocks to the system prompt each time it is built. */
export type SystemPromptContributor = (
  ctx: Context,
) => Promise<readonly ContentBlock[]> | readonly ContentBlock[];

export interface McpServerConfig extends McpServerSettings {
  readonly name: string;
}

export interface McpServerStatus {
  readonly name: string;
  readonly state: 'starting' | 'ready' | 'reconnecting' | 'stopped' | 'failed';
  readonly tools: number;
  readonly message?: string;
}

/**
 * The configuration as a plugin sees it: without secrets, `plugins` always as a map, its own merged options under
 * `extensions`. Options are whatever their plugin's schema says, so they are read as they are.
 */
export type PluginConfig = Config & {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- options have the shape that their plugin's schema gives them
  readonly extensions: Readonly<Record<string, any>>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the map of options, of the same shapes as `extensions`
  readonly plugins: any;
};

/** What a plugin sees of the host. Everything it registers here is released when it is unloaded. */
export interface PluginAPI {
  /** Keys that decide, approve, record, scrub or configure are sealed: binding one throws. */
  readonly container: Pick<Container, 'bind' | 'resolve' | 'has'>;
  readonly pipelines: Pipelines;
  readonly events: Pick<EventBus, 'on' | 'once' | 'onPattern' | 'emitCustom'>;
  readonly tools: {
    register(tool: Tool | StreamingTool): Disposer;
    registerAll(tools: readonly (Tool | StreamingTool)[], owner?: string): readonly string[];
    wrap(name: string, wrapper: (original: RegisteredTool) => Tool): Disposer;
    unregister(name: string): void;
    get(name: string): RegisteredTool | undefined;
    list(): readonly RegisteredTool[];
  };
  readonly providers: {
    register(factory: ProviderFactory): Disposer;
    create(type: string, config: unknown): Provider;
    list(): readonly ProviderFactory[];
  };
  readonly mcp: {
    start(server: McpServerConfig): Promise<void>;
    stop(name: string): Promise<void>;
    restart(name: string): Promise<void>;
    list(): readonly McpServerStatus[];
  };
  readonly slashCommands: {
    register(command: SlashCommand): Disposer;
    unregister(name: string): boolean;
    get(name: string): SlashCommand | undefined;
    list(): readonly SlashCommand[];
  };
  /** A deep-frozen snapshot without secrets. */
  readonly config: PluginConfig;
  readonly log: Logger;
  onEvent<Name extends EventName>(name: Name, handler: (payload: EventMap[Name]) => void): Disposer;
  onEvent(name: string, handler: (payload: unknown) => void): Disposer;
  onPattern(pattern: string, handler: PatternListener): Disposer;
  emitCustom(event: string, payload: unknown): void;
  onConfigChange(handler: (next: PluginConfig, previous: PluginConfig) => void): Disposer;
  readonly extensions: { register(hooks: LifecycleHooks): Disposer };
  readonly session: { append(entry: CustomSessionEntry): Promise<void> };
  readonly metrics: {
    counter(name: string, value?: number, labels?: MetricLabels): void;
    histogram(name: string, value: number, labels?: MetricLabels): void;
    gauge(name: string, value: number, labels?: MetricLabels): void;
  };
  registerSystemPromptContributor(contributor: SystemPromptContributor): Disposer;
}
