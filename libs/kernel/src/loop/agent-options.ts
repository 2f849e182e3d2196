import type {
  ActorFacts,
  ApprovalChannel,
  Clock,
  Config,
  ContentBlock,
  Logger,
  MetricsSink,
  Provider,
  RegisteredTool,
  RunId,
  RunStatus,
  SecretScrubber,
  SessionFacts,
  SessionLog,
  TaskOwner,
  TaskQueue,
  Usage,
} from '@wrongstack/contracts';
import type { EventSink } from '../execution/call-scope.js';
import type { ToolExecutor } from '../execution/tool-executor.js';
import type { LifecycleRegistry } from '../extensions/lifecycle-registry.js';
import type { Pipelines } from '../pipeline/create-pipelines.js';
import type { Conversation } from '../session/conversation.js';
import type { SubagentHost } from '../subagents/subagent-host.js';
import type { Agent } from './agent.js';
import type { PolicyBudget, RunBudget } from './budgets.js';
import type { RunSpent } from './shared-limit.js';
import type { PathLocks } from './path-locks.js';
import type { Sleep } from './retry.js';
import type { RunTally } from './run-tally.js';
import type { SystemPromptBuilder } from './system-prompt.js';

/** What every agent of a kernel shares. */
export interface AgentPorts {
  readonly executor: ToolExecutor;
  readonly tools: { get(name: string): RegisteredTool | undefined; list(): readonly RegisteredTool[] };
  readonly pipelines: Pipelines;
  readonly lifecycle: LifecycleRegistry;
  readonly systemPrompt: SystemPromptBuilder;
  /** A prompt with a role of its own and these tools only, without what plugins add to the main agent's. */
  readonly subagentPrompt: (
    role: string,
    tools: { list(): readonly RegisteredTool[] },
  ) => SystemPromptBuilder;
  readonly createAgent: (options: AgentOptions) => Agent;
  readonly events: EventSink;
  readonly metrics: MetricsSink;
  readonly scrubber: SecretScrubber;
  readonly clock: Clock;
  readonly log: Logger;
  readonly locks: PathLocks;
  readonly tasks: TaskQueue | null;
  /** 0 ≤ n < 1. */
  readonly random: () => number;
  readonly sleep: Sleep;
  /** Read anew for each run. */
  readonly config: () => Pick<Config, 'agent' | 'prices' | 'provider'>;
}

/** Something that a person should know about a run and that does not end it. */
export interface RunNotice {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

/** One session's agent. */
export interface AgentOptions {
  readonly session: SessionLog;
  /** Asked at the start of each run, so that `/model` counts for the next one. */
  readonly provider: () => Promise<Provider> | Provider;
  readonly cwd: string;
  readonly projectRoot: string;
  /** The session's private folder, 0700. */
  readonly scratchDir: string;
  /** Where earlier contents of changed files are kept for undo; the scratch folder when missing. */
  readonly snapshotDir?: string;
  readonly dataDir: string;
  readonly actor: ActorFacts;
  readonly sessionFacts: () => SessionFacts;
  /** `main`, or a subagent's name. */
  readonly name?: string;
  /** A resumed session's messages. */
  readonly conversation?: Conversation;
  readonly approvals?: ApprovalChannel;
  /** Replaces the kernel's prompt (subagents). */
  readonly systemPrompt?: SystemPromptBuilder;
  /** The model is told about these only (subagents); what may run is for the policy to say. */
  readonly allowTool?: (tool: RegisteredTool) => boolean;
  /** Tighter than the configured limits (subagents). */
  readonly budget?: Partial<RunBudget>;
  /**
   * What policies allow, asked before each model request with what the run has used up so far. A throw ends the run: what cannot be
   * known is not allowed. Missing = nothing but the configured limits.
   */
  readonly policyBudget?: (spent: RunSpent, run: RunId) => Promise<PolicyBudget>;
  /** Ids that calls of this agent must not have, since they are in use elsewhere. */
  readonly takenCallIds?: () => ReadonlySet<string>;
  /** Whose its tasks are; a subagent's are its parent's. */
  readonly taskOwner?: TaskOwner;
  /** Missing = this agent can start no subagents. */
  readonly subagents?: SubagentHost;
  /**
   * Awaited at the start of each run: what the host is still bringing up, such as servers whose tools the first request
   * should carry. How long that may take is the host's to bound. What it returns is announced.
   */
  readonly ready?: (signal: AbortSignal) => Promise<readonly RunNotice[]>;
}

export interface AgentRunOptions {
  readonly signal?: AbortSignal;
}

export type AgentInput = string | readonly ContentBlock[];

/** How a run ended, with all that the result line of a headless run needs. */
export interface AgentResult extends ReturnType<RunTally['summary']> {
  readonly status: RunStatus;
  /** The final answer; what there is of it when the run did not complete. */
  readonly text: string;
  readonly run: RunId;
  readonly model: string;
  readonly turns: number;
  readonly durationMs: number;
  readonly usage: Usage;
  readonly costUsd: number | null;
  readonly error: { readonly code: string; readonly message: string; readonly hint: string | null } | null;
}
