import type {
  ActorFacts,
  AgentHandle,
  Approval,
  ApprovalChannel,
  ApprovalId,
  AuditLog,
  CallId,
  Clock,
  Context,
  CredentialResolver,
  Decision,
  EventMap,
  EventName,
  EventOrigin,
  HookDemand,
  Logger,
  MetricsSink,
  PermissionPolicy,
  RateLimiter,
  RegisteredTool,
  Sandbox,
  SecretScrubber,
  SessionEntry,
  SessionFacts,
  SubagentReport,
  SubagentTask,
  TaskOwner,
  TaskQueue,
  TaskRecord,
  ToolCallStatus,
  ToolHookCall,
  ToolResult,
  ToolSettings,
  ToolUseBlock,
} from '@wrongstack/contracts';

/** What the stages need of the registry. */
export interface ToolSource {
  get(name: string): RegisteredTool | undefined;
  list(): readonly RegisteredTool[];
  /** Errors for people, empty when the input fits the tool's schema. */
  validate(name: string, input: unknown): readonly string[];
}

/** What the stages need of the two seams. */
export interface HookRunner {
  runPreExecute(
    call: ToolHookCall,
    signal: AbortSignal,
  ): Promise<{
    readonly demands: readonly HookDemand[];
    readonly rewritten: { readonly input: unknown } | undefined;
  }>;
  runPostExecute(call: ToolHookCall, result: ToolResult, signal: AbortSignal): Promise<ToolResult>;
}

export interface EventSink {
  emit<Name extends EventName>(name: Name, payload: EventMap[Name]): void;
}

/** `allow-safe`: calls without dangerous capabilities still run. */
export type AuditFailure = 'deny' | 'allow-safe';

export interface ExecutionLimits {
  /** How long a call may go on after its signal aborted before it is given up. Longer than a child's TERM grace. */
  readonly graceMs: number;
  /** For tools that declare none. */
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
}

export const EXECUTION_LIMITS: ExecutionLimits = {
  graceMs: 6_000,
  timeoutMs: 600_000,
  maxOutputBytes: 65_536,
};

/** Everything the executor is wired to. `null` = not available, and what needs it is denied. */
export interface ExecutionPorts {
  readonly tools: ToolSource;
  readonly hooks: HookRunner;
  readonly policy: PermissionPolicy;
  readonly approvals: ApprovalChannel;
  readonly audit: AuditLog;
  /** What happens when the audit log cannot be written; asked anew for each call. */
  readonly auditFailure: () => Promise<'deny' | 'allow-safe'> | 'deny' | 'allow-safe';
  readonly scrubber: SecretScrubber;
  readonly sandbox: Sandbox | null;
  readonly rateLimiter: RateLimiter | null;
  readonly credentials: CredentialResolver | null;
  /** Where calls go that run in the background. */
  readonly tasks: TaskQueue | null;
  readonly metrics: MetricsSink;
  readonly events: EventSink;
  readonly clock: Clock;
  readonly log: Logger;
  /** Per-tool settings, which only tighten. */
  readonly settings: () => Readonly<Record<string, ToolSettings>>;
  readonly limits: ExecutionLimits;
}

/** Whose call it is and where it happens; the same for all calls of a run. */
export interface CallScope {
  readonly origin: EventOrigin;
  readonly context: Context;
  readonly actor: ActorFacts;
  /** Asked anew for each call: the person may have changed the mode since. */
  readonly session: () => SessionFacts;
  readonly log: { append(entry: SessionEntry): Promise<void> };
  readonly agent?: AgentHandle;
  /** Where this actor's questions go, when not to the default channel (a subagent asks its parent's). */
  readonly approvals?: ApprovalChannel;
  /** Where earlier contents of changed files are kept; the context's scratch folder when missing. */
  readonly snapshotDir?: string;
  /** The tools that this actor is told about; missing = all. Which calls may run is for the policy to say. */
  readonly offers?: (tool: RegisteredTool) => boolean;
  /** The call of a tool that asked for this one; missing = the model did. */
  readonly within?: CallId;
  /** Put around calls that tools ask for: budget, hooks and counts of the run that they belong to. */
  readonly aroundInner?: (
    use: ToolUseBlock,
    run: (use: ToolUseBlock) => Promise<CallOutcome>,
  ) => Promise<CallOutcome>;
  /** Whose the tasks are that these calls start; the session's own when missing. */
  readonly taskOwner?: TaskOwner;
  /** Starts a subagent of this actor; missing = it can have none. */
  readonly subagents?: (call: CallId, task: SubagentTask, signal: AbortSignal) => Promise<SubagentReport>;
}

/** How a call ended before it was recorded. */
export type Ending =
  | {
      readonly kind: 'ended';
      readonly status: ToolCallStatus;
      readonly result: ToolResult;
      /** The tool as it counted for this call; null when there is none of that name. */
      readonly tool: RegisteredTool | null;
      readonly decision: Decision | null;
      /** Patterns to mask in this result alone. */
      readonly redact: readonly string[];
      readonly durationMs: number;
      /** Whether the tool itself ran. */
      readonly ran: boolean;
      /** The call goes on, or will, as this task. */
      readonly task?: TaskRecord;
      readonly code?: string;
    }
  | {
      readonly kind: 'parked';
      readonly tool: RegisteredTool;
      readonly decision: Decision;
      readonly approval: ApprovalId;
      readonly expiresAt: string | null;
    };

/** A stage that stops the call says how it ended and why, in one line for the model. */
export interface Stop {
  readonly stop: 'failed' | 'denied' | 'aborted';
  readonly message: string;
  /** Of the error behind it, for callers that are no model. */
  readonly code?: string;
}

const STOPS: ReadonlySet<unknown> = new Set(['failed', 'denied', 'aborted']);

export function stopped(value: unknown): value is Stop {
  return typeof value === 'object' && value !== null && 'stop' in value && STOPS.has(value.stop);
}

/** What people answered; `granted` carries the approval when one was needed. */
export type ApprovalOutcome =
  | { readonly kind: 'granted'; readonly approval: Approval | null; readonly remembered: boolean }
  | ({ readonly kind: 'refused'; readonly by: 'policy' | 'person' | 'channel' } & Stop)
  | ({ readonly kind: 'withdrawn' } & Stop)
  | { readonly kind: 'parked'; readonly approval: ApprovalId; readonly expiresAt: string | null };

/** What the executor hands back to whoever asked for the call. */
export interface CallOutcome {
  readonly call: CallId;
  readonly name: string;
  readonly status: ToolCallStatus | 'parked';
  readonly result: ToolResult;
  readonly decision: Decision | null;
  readonly truncated: boolean;
  readonly spill: string | null;
  readonly files: readonly { readonly path: string; readonly added: number; readonly removed: number }[];
  readonly approval: { readonly id: ApprovalId; readonly expiresAt: string | null } | null;
  /** The background task that the call became. */
  readonly task: TaskRecord | null;
  /** Of the error that kept it from running, where there was one. */
  readonly code?: string;
}

export function textResult(text: string, isError: boolean): ToolResult {
  return { content: [{ type: 'text', text }], isError };
}
