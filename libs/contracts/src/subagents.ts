import type { Capability } from './capability.js';
import type { FileChange, RunStatus } from './events.js';
import type { CallId, SessionId } from './ids.js';
import type { Usage } from './provider.js';

/** What a subagent may use up; the host's own limits and what its parent has left stand beside it. */
export interface SubagentBudget {
  readonly iterations: number;
  readonly toolCalls: number;
  /** Tokens in and out, cached ones included, over all turns. */
  readonly tokens: number;
  readonly seconds: number;
}

export interface SubagentTask {
  /** All that the subagent is told: it sees nothing of its parent's conversation. */
  readonly task: string;
  /** Lower case, as in `reviewer`; one is chosen when missing. */
  readonly name?: string;
  /** What it may use at most, of what its parent may; missing = all of it but the dangerous ones. */
  readonly capabilities?: readonly Capability[];
  readonly budget: SubagentBudget;
}

export interface SubagentDenial {
  readonly call: CallId;
  readonly tool: string;
  /** What the denied call would have needed. */
  readonly capabilities: readonly Capability[];
  readonly because: string | null;
  readonly instead: string | null;
}

/** How a subagent ended. `timeout` = its own time was up. */
export interface SubagentReport {
  readonly name: string;
  readonly session: SessionId;
  readonly status: RunStatus | 'timeout';
  /** Its final answer; what there is of it when it did not complete. */
  readonly text: string;
  readonly error: string | null;
  readonly turns: number;
  readonly durationMs: number;
  readonly usage: Usage;
  readonly costUsd: number | null;
  readonly calls: {
    readonly total: number;
    readonly ok: number;
    readonly failed: number;
    readonly denied: number;
  };
  readonly denials: readonly SubagentDenial[];
  readonly files: readonly FileChange[];
}

/** Starts subagents of the actor whose call it is. Codes: `subagent.too_deep`, `subagent.name`, `subagent.budget`. */
export interface Subagents {
  run(task: SubagentTask, signal: AbortSignal): Promise<SubagentReport>;
}
