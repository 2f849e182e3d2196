import type { Capability } from './capability.js';
import type { ClaimContext, ToolClaims } from './claims.js';
import type { ContentBlock } from './content.js';
import type { Context } from './context.js';
import type { CallId } from './ids.js';
import type { InnerCalls, ToolCatalogue } from './inner-calls.js';
import type { JSONSchema } from './json-schema.js';
import type { PresentableResult, ToolCallView, ToolResultView } from './presentation.js';
import type { ProgramHost } from './program-host.js';
import type { Subagents } from './subagents.js';
import type { OwnTasks } from './task-handles.js';

export type ToolPermission = 'auto' | 'confirm' | 'deny';
export type RiskTier = 'safe' | 'standard' | 'destructive';

/** Tool names: what a model may call. */
export const TOOL_NAME = /^[a-z][a-z0-9_-]*$/;

export interface ToolOptions {
  /** Aborts when the person interrupts, `timeoutMs` elapses or the run aborts. */
  readonly signal: AbortSignal;
  readonly callId?: CallId;
  /** The credentials that the tool declared, by name, and no others. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** For notices that the next model request shall see. Safe on an agent that has ended. */
  readonly agent?: AgentHandle;
  /** How a child process is to be started: an applied sandbox obligation wraps it. Tools that spawn must use it. */
  readonly sandbox?: SpawnWrapper;
  /** Where a command runs so that a person watches it; for core tools. Missing = in a process of ours. */
  readonly programHost?: ProgramHost;
  /** Real paths of this call as they were decided. A tool that opens files ends at one of them or refuses; missing = it resolves alone. */
  readonly decidedPaths?: readonly string[];
  /** For text that a tool itself puts on disk (a spill file): a new masking stream, see `SecretScrubber.stream`. */
  readonly scrubStream?: () => { push(chunk: string): string; end(): string };
  /** For tools that declare `tool.meta` or `tool.mutate.any`. */
  readonly catalogue?: ToolCatalogue;
  /** For tools that declare `tool.mutate.any`. */
  readonly calls?: InnerCalls;
  /** For tools that declare `subagent.spawn`, within the run of an agent that may have subagents. */
  readonly subagents?: Subagents;
  /** The session's background tasks; for core tools. */
  readonly tasks?: OwnTasks;
  /** Present when the call runs in the background: its output, at once and in full, in place of `partial_output`. */
  readonly taskOutput?: (text: string) => void;
  /** Beside it: resolves when there is room for more of it; null = there is. Whoever cannot wait may go on. */
  readonly taskRoom?: () => Promise<void> | null;
}

/** Rewrites the argv of a child process (for example to run under bubblewrap). */
export type SpawnWrapper = (argv: readonly string[], options: { readonly cwd: string }) => readonly string[];

export interface InjectSource {
  readonly kind: 'plugin' | 'task' | 'host';
  readonly [field: string]: unknown;
}

export interface AgentHandle {
  /** Append durable context that the NEXT model request sees. Not a wake-up: an idle agent stays idle. */
  inject(content: string | readonly ContentBlock[], options: { readonly source: InjectSource }): void;
}

/** Numbers for a progress widget, or `{ path }` for a changed file. */
export type ToolStreamEvent<O = unknown> =
  | { readonly type: 'log'; readonly text: string; readonly data?: Readonly<Record<string, unknown>> }
  | {
      readonly type: 'partial_output';
      readonly text: string;
      readonly data?: Readonly<Record<string, unknown>>;
    }
  | { readonly type: 'metric'; readonly data: Readonly<Record<string, unknown>>; readonly text?: string }
  | {
      readonly type: 'file_changed';
      readonly data: { readonly path: string; readonly [field: string]: unknown };
      readonly text?: string;
    }
  | { readonly type: 'warning'; readonly text: string; readonly data?: Readonly<Record<string, unknown>> }
  | { readonly type: 'final'; readonly output: O };

export type ToolProgressEvent = Exclude<ToolStreamEvent, { type: 'final' }>;

/** What a tool may return instead of a plain value, to choose its blocks and attach durable card data. */
export interface RichToolOutput {
  readonly content: readonly ContentBlock[];
  readonly meta?: unknown;
  /** A domain failure is a normal result; set it only when the call itself failed. */
  readonly isError?: boolean;
}

/**
 * A tool: what the model calls, what decides about the call, and what runs.
 * `I` is the input after validation, `O` what `execute` returns (a plain value, content blocks, or {@link RichToolOutput}).
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the variance that authors expect: a Tool<{text: string}> is a Tool
export interface Tool<I = any, O = any> {
  /** Matches {@link TOOL_NAME}. */
  name: string;
  /** Shown to the model. Terse and concrete. */
  description: string;
  /** Replaces `description` in the system prompt. */
  usageHint?: string;
  inputSchema: JSONSchema;
  /** Missing = confirm, unless the tool is core-owned, not mutating and safe. */
  permission: ToolPermission;
  /** A hint for people, and what plan mode refuses. */
  mutating: boolean;
  /** Missing = standard, and unknown to rules. */
  riskTier?: RiskTier;
  capabilities?: readonly Capability[];
  /** Group in the system prompt (`### Filesystem`). */
  category?: string;
  maxOutputBytes?: number;
  timeoutMs?: number;
  /** The same for calls in the background; `timeoutMs` when missing. */
  backgroundTimeoutMs?: number;
  /** For the spinner only. */
  estimatedDurationMs?: number;
  /** The class of each call's command is that call's tier (shell tools). */
  riskPerCall?: boolean;
  /** May run again after a crash without a second effect. */
  idempotent?: boolean;
  background?: 'never' | 'optional' | 'always';
  /** Names of credentials (as in `wstack auth`) that this tool needs; it gets those alone. */
  credentials?: readonly string[];

  execute(input: I, ctx: Context, opts: ToolOptions): Promise<O>;
  executeStream?(input: I, ctx: Context, opts: ToolOptions): AsyncIterable<ToolStreamEvent<O>>;
  /** Runs when this call is aborted; best effort, errors are swallowed. */
  cleanup?(input: I, ctx: Context): Promise<void>;

  /** Pure. What this call would touch; see {@link ToolClaims}. Every built-in tool has it. */
  describeCall?(input: I, ctx: ClaimContext): ToolClaims;
  /** Pure: no I/O, no clock, no session state. Runs live and on replay. Undefined = show a generic card. */
  presentCall?(input: I): ToolCallView | undefined;
  presentResult?(input: I, result: PresentableResult): ToolResultView | undefined;
}

/** A registered tool: an immutable snapshot. Methods run with `this` = the author's own object. */
export interface RegisteredTool extends Readonly<Tool> {
  /** `core`, or the name of the plugin that registered it. */
  readonly owner: string;
  /** sha256 over the canonical JSON of everything but functions: what trust and approvals are bound to. */
  readonly definitionDigest: string;
  /** MCP tools only: where it comes from. */
  readonly mcp?: McpOrigin;
}

export interface McpOrigin {
  readonly server: string;
  readonly url?: string;
  readonly commandDigest?: string;
  readonly toolDigest: string;
  readonly pinned: boolean;
}

/** What the model gets back. */
export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly isError: boolean;
  readonly meta?: unknown;
}

/** How one call ended. `denied` covers everything that policy or a person stopped. */
export type ToolCallStatus = 'ok' | 'failed' | 'denied' | 'timeout' | 'aborted';
