import type { Approval, ApproversNeeded, Decision, Verdict } from './decision.js';
import type { ActorFacts, SessionFacts } from './facts.js';
import type { ApprovalId, CallId, DecisionId } from './ids.js';
import type { ToolCallView } from './presentation.js';
import type { RegisteredTool } from './tool.js';

/** One request by an actor to run one tool with one input, after validation. The input is deep-frozen. */
export interface ToolCall {
  readonly id: CallId;
  readonly tool: RegisteredTool;
  readonly input: unknown;
  readonly actor: ActorFacts;
  readonly session: SessionFacts;
  readonly cwd: string;
  readonly projectRoot: string;
  /** Folders whose reading never prompts: the session's scratch folder. */
  readonly scratchDirs: readonly string[];
  readonly background: boolean;
  /** What `tools/pre-execute` hooks demanded; they may only tighten. */
  readonly hookDemands: readonly HookDemand[];
  /** Meta-tools: how deep this call is nested in others (0 = asked for by the model). */
  readonly nesting: number;
}

export interface HookDemand {
  readonly owner: string;
  readonly verdict: Exclude<Verdict, 'allow'>;
  readonly reason: string;
}

/** Decides every tool call. Bound by the app; the kernel knows only this port. */
export abstract class PermissionPolicy {
  /** Compute the facts and decide. Never throws for a bad call: what cannot be evaluated denies. */
  abstract decide(call: ToolCall): Promise<Decision>;
  /**
   * Right before `execute`: compute the facts again. The result's verdict is `allow` when the call may run now,
   * with the approval if one was needed; anything else voids it and says why.
   */
  abstract recheck(call: ToolCall, decision: Decision, approval: Approval | null): Promise<Decision>;
  /** Store a person's "always" or "never" for the subjects of `decision.trustOffer`. Throws when nothing may be stored. */
  abstract remember(call: ToolCall, decision: Decision, effect: 'allow' | 'deny'): Promise<void>;
  /**
   * The real paths that a decision was made about, as they are: those in its facts are masked for storing. Never store
   * or show them. Null = not known (any more), and then the masked ones have to do.
   */
  decidedPaths(_decision: DecisionId): readonly string[] | null {
    return null;
  }
}

export interface ApprovalRequest {
  readonly id: ApprovalId;
  readonly call: ToolCall;
  readonly decision: Decision;
  /** The pending card: the whole command or the diff. */
  readonly view: ToolCallView;
  readonly approvers: ApproversNeeded | null;
}

/** A person's answer. `parked` = queued for somebody else, the call ends without having run. */
export type ApprovalAnswer =
  | { readonly kind: 'once' }
  | { readonly kind: 'always' }
  | { readonly kind: 'no'; readonly reason?: string }
  | { readonly kind: 'never'; readonly reason?: string }
  | { readonly kind: 'approved'; readonly by: readonly string[] }
  | { readonly kind: 'parked'; readonly approval: ApprovalId; readonly expiresAt: string | null };

/** Asks people. Interactive channels prompt; a headless one never does. */
export abstract class ApprovalChannel {
  /** Rejects with the signal's reason when aborted; a slow answer is never turned into a yes. */
  abstract ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>;
}
