import type { CallId } from './ids.js';
import type { JSONSchema } from './json-schema.js';
import type { RiskTier, ToolCallStatus, ToolPermission, ToolResult } from './tool.js';

/** A tool as other tools may see it: what describes it, and nothing that runs it. */
export interface ToolSummary {
  readonly name: string;
  /** `core`, or the plugin's name. */
  readonly owner: string;
  readonly description: string;
  /** Richer prose; null where the description is all there is. */
  readonly usageHint: string | null;
  readonly category: string | null;
  readonly inputSchema: JSONSchema;
  /** `unknown` = the tool declares none, and then it asks. */
  readonly permission: ToolPermission | 'unknown';
  readonly riskTier: RiskTier | 'unknown';
  readonly mutating: boolean;
  readonly capabilities: readonly string[];
}

/** The tools that this actor is offered. */
export interface ToolCatalogue {
  list(): readonly ToolSummary[];
}

/** How a call that a tool asked for ended. `parked` = it waits for an approval and has not run. */
export interface InnerCallOutcome {
  readonly call: CallId;
  readonly tool: string;
  readonly status: ToolCallStatus | 'parked';
  readonly result: ToolResult;
}

/**
 * Calls of other tools by a tool. Each goes the whole way of any call (validation, hooks, decision, approval, audit) as the
 * same actor, under an id of its own, and is refused where tools run tools more than two levels deep.
 */
export interface InnerCalls {
  /** Rejects only when the session cannot be written, or when the outer call has ended (`tool.call_ended`). */
  run(tool: string, input: unknown, signal: AbortSignal): Promise<InnerCallOutcome>;
}
