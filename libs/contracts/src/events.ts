import type { Decision } from './decision.js';
import type { ApprovalId, CallId, RunId, SessionId } from './ids.js';
import type { StopReason, Usage } from './provider.js';
import type { ToolCallStatus, ToolProgressEvent, ToolResult } from './tool.js';

export interface FileChange {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

/** Who an event belongs to. `agent` is `main`, or a subagent's name. */
export interface EventOrigin {
  readonly session: SessionId;
  readonly run: RunId;
  readonly agent: string;
}

export type RunStatus = 'completed' | 'failed' | 'limit' | 'stopped_by_policy' | 'interrupted';

/** Built-in events. Events announce, they never decide: a listener that throws is logged and skipped. */
export interface EventMap {
  'run.started': EventOrigin & {
    readonly model: string;
    readonly resumed: boolean;
    readonly tools: readonly string[];
    readonly mode: string;
  };
  'run.finished': EventOrigin & {
    readonly status: RunStatus;
    readonly turns: number;
    readonly usage: Usage;
    readonly durationMs: number;
  };
  'iteration.started': EventOrigin & { readonly index: number };
  'message.delta': EventOrigin & {
    readonly message: string;
    readonly text: string;
    readonly thinking: boolean;
  };
  'message.completed': EventOrigin & {
    readonly message: string;
    readonly text: string;
    readonly stopReason: StopReason;
    readonly usage: Usage;
  };
  'tool.requested': EventOrigin & { readonly call: CallId; readonly name: string; readonly input: unknown };
  'tool.decided': EventOrigin & { readonly call: CallId; readonly name: string; readonly decision: Decision };
  'approval.waiting': EventOrigin & {
    readonly call: CallId;
    readonly name: string;
    readonly approval: ApprovalId;
    readonly need: number;
    readonly have: number;
    readonly expiresAt: string | null;
  };
  'approval.resolved': EventOrigin & {
    readonly call: CallId;
    readonly name: string;
    readonly approval: ApprovalId;
    readonly outcome: 'approved' | 'rejected' | 'withdrawn' | 'expired';
    readonly by: readonly string[];
  };
  'tool.started': EventOrigin & {
    readonly call: CallId;
    readonly name: string;
    readonly estimatedDurationMs: number | null;
  };
  'tool.progress': EventOrigin & {
    readonly call: CallId;
    readonly name: string;
    readonly event: ToolProgressEvent;
  };
  'tool.executed': EventOrigin & {
    readonly call: CallId;
    readonly name: string;
    readonly input: unknown;
    readonly status: ToolCallStatus;
    readonly isError: boolean;
    readonly durationMs: number;
    readonly result: ToolResult;
    readonly truncated: boolean;
    readonly spill: string | null;
    readonly exitCode: number | null;
    readonly files: readonly FileChange[];
  };
  /** The call waits for somebody else and ended without running. */
  'tool.parked': EventOrigin & {
    readonly call: CallId;
    readonly name: string;
    readonly approval: ApprovalId;
    readonly expiresAt: string | null;
  };
  'tool.loop_detected': EventOrigin & { readonly name: string; readonly times: number };
  'tool.registered': { readonly name: string; readonly owner: string };
  'tool.unregistered': { readonly name: string; readonly owner: string };
  /** Aliases of the session log's entries under the names of the cookbook. */
  'tool/call': EventOrigin & { readonly callId: CallId; readonly name: string; readonly arguments: unknown };
  'tool/result': EventOrigin & {
    readonly callId: CallId;
    readonly name: string;
    readonly isError: boolean;
    readonly content: ToolResult['content'];
    readonly meta?: unknown;
  };
  'task.changed': {
    readonly task: string;
    readonly call: CallId;
    readonly state: string;
    readonly exitCode: number | null;
  };
  'policy.changed': {
    readonly state: string;
    readonly revision: number | null;
    readonly ageSeconds: number | null;
  };
  'model.retry': EventOrigin & {
    readonly attempt: number;
    readonly of: number;
    readonly waitMs: number;
    readonly status: number | null;
    readonly reason: string;
  };
  'context.compacted': EventOrigin & { readonly beforeTokens: number; readonly afterTokens: number };
  'pipeline.failed': {
    readonly pipeline: string;
    readonly owner: string;
    readonly handler: string;
    readonly message: string;
  };
  'hook.failed': { readonly hook: string; readonly owner: string; readonly message: string };
  'config.changed': { readonly keys: readonly string[] };
  error: {
    readonly code: string;
    readonly message: string;
    readonly hint: string | null;
    readonly fatal: boolean;
  };
}

export type EventName = keyof EventMap;
