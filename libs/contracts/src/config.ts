/** Per-tool settings; each can only tighten what the tool declares. */
export interface ToolSettings {
  readonly permission?: 'confirm' | 'deny';
  readonly riskTier?: 'standard' | 'destructive';
  readonly timeoutMs?: number;
  readonly maxOutputBytes?: number;
}

export interface ProviderSettings {
  /** A registered provider type: anthropic, openai, openai-responses, openai-compatible, scripted, or a plugin's. */
  readonly type: string;
  readonly model: string;
  readonly baseUrl?: string;
  /** Name of the credential (vault entry or environment variable); defaults to the provider's usual one. */
  readonly credential?: string;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  /** Scripted provider: path of the recorded conversation. */
  readonly script?: string;
}

export interface AgentSettings {
  readonly maxIterations: number;
  /** Context budget in tokens; compaction starts at `compactAt` of it. */
  readonly contextTokens: number;
  /** 0..1 */
  readonly compactAt: number;
  readonly maxRetries: number;
  readonly maxToolCalls?: number;
  readonly maxCostUsd?: number;
  readonly instructions?: string;
  /** Milliseconds; by default 10,000 for a headless run and 3,000 for others. */
  readonly mcpWaitMs?: number;
  /** Milliseconds of a plugin's import, and of its setup; 30,000 by default. */
  readonly pluginSetupMs?: number;
  /** Milliseconds of a plugin's teardown; 10,000 by default. */
  readonly pluginTeardownMs?: number;
}

export interface ModelPrice {
  /** USD per million tokens. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

export interface PluginSettings {
  readonly enabled?: boolean;
  readonly path?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly [option: string]: unknown;
}

/** One MCP server. Only the person's own file names any, never a repository's. */
export interface McpServerSettings {
  /** By default: http where there is a url, stdio where there is a command. */
  readonly transport?: 'stdio' | 'http';
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Credentials (as in `wstack auth`) that the process gets as environment variables of the same name. */
  readonly credentials?: readonly string[];
  /** Absolute, or below `~`; the home folder when missing, never the project. */
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Name of the credential that is sent as a bearer token. */
  readonly credential?: string;
  readonly enabled?: boolean;
  /** Most milliseconds of one call. */
  readonly timeoutMs?: number;
  /** Most milliseconds until it answers for the first time. */
  readonly startTimeoutMs?: number;
}

/** The effective configuration: a frozen snapshot, layers merged. Holds no secrets. */
export interface Config {
  readonly provider: ProviderSettings;
  readonly agent: AgentSettings;
  readonly tools: Readonly<Record<string, ToolSettings>>;
  readonly prices: Readonly<Record<string, ModelPrice>>;
  readonly plugins:
    Readonly<Record<string, PluginSettings>> | readonly (PluginSettings & { readonly name: string })[];
  readonly extensions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly policy: { readonly profile?: 'guide' | 'balanced' | 'strict' };
  readonly ui: { readonly plain?: boolean; readonly color?: 'auto' | 'always' | 'never' };
  readonly log: { readonly level: 'debug' | 'info' | 'warn' | 'error' };
  readonly net?: NetSettings;
  readonly mcp?: Readonly<Record<string, McpServerSettings>>;
  readonly tasks?: TaskSettings;
  /** Port on loopback of the metrics of what runs for long (`acp`, `mcp serve`); missing = none. */
  readonly metrics?: { readonly port?: number };
  readonly [section: string]: unknown;
}

/** Where an API keeps background tasks. Only its own file sets it, never a repository's. */
export interface TaskSettings {
  /** Missing = redis where there is a REDIS_URL, else local. */
  readonly driver?: 'local' | 'redis';
}

/** What tools may reach beyond the public internet. Only the person's own file sets it, never a repository's. */
export interface NetSettings {
  /** Exact host names of an intranet that resolve to private addresses. */
  readonly allowPrivateHosts?: readonly string[];
  /** Where the search tool asks. */
  readonly search?: {
    readonly url: string;
    readonly format: 'searxng' | 'brave';
    readonly credential?: string;
  };
}

export interface ConfigReader {
  readonly current: Config;
  /** Called after each update, with frozen snapshots. Returns its disposer. */
  watch(listener: (next: Config, previous: Config) => void): () => void;
}
