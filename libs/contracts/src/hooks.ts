import type { CallId } from './ids.js';
import type { ToolResult } from './tool.js';

export interface ToolHookCall {
  readonly callId: CallId;
  readonly tool: string;
  readonly owner: string;
  readonly input: unknown;
  readonly cwd: string;
  readonly projectRoot: string;
}

/** A gate may only tighten, or rewrite the input (which starts again from validation). */
export type PreExecuteOutcome =
  | { readonly decision: 'deny' | 'ask'; readonly reason: string }
  | { readonly input: unknown }
  | undefined
  | void;

/** Policy hooks fail closed: one that throws or runs out of time denies the call. */
export type PreExecuteHook = (
  call: ToolHookCall,
  options: { readonly signal: AbortSignal },
) => Promise<PreExecuteOutcome> | PreExecuteOutcome;

/** Runs on the raw result, before scrubbing. Return a result to replace it. A throw makes the result an error. */
export type PostExecuteHook = (
  call: ToolHookCall,
  result: ToolResult,
  options: { readonly signal: AbortSignal },
) => Promise<ToolResult | undefined | void> | ToolResult | undefined | void;
