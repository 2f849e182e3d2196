import type { Context } from './context.js';
import type { ToolUseBlock } from './content.js';
import type { ModelRequest, ModelResponse } from './provider.js';
import type { ToolResult } from './tool.js';

export interface RunResult {
  readonly status: 'completed' | 'failed' | 'limit' | 'stopped_by_policy' | 'interrupted';
  readonly text: string;
}

export type ErrorAction = { readonly action: 'retry' | 'fail' | 'continue' };
export type ProviderRunner = (ctx: Context, request: ModelRequest) => Promise<ModelResponse>;

/** The eight lifecycle hooks. Each is optional; a failure is caught and logged and never ends the run. */
export interface LifecycleHooks {
  readonly name: string;
  readonly owner?: string;
  beforeRun?(ctx: Context, input: unknown): Promise<void> | void;
  afterRun?(ctx: Context, result: RunResult): Promise<void> | void;
  beforeIteration?(ctx: Context, index: number): Promise<void> | void;
  afterIteration?(ctx: Context, index: number): Promise<void> | void;
  onError?(
    ctx: Context,
    error: unknown,
    phase: string,
    index: number,
  ): Promise<ErrorAction | undefined | void> | ErrorAction | undefined | void;
  wrapProviderRunner?(ctx: Context, request: ModelRequest, inner: ProviderRunner): Promise<ModelResponse>;
  /** May filter or reorder; what it returns is decided again. */
  beforeToolExecution?(
    ctx: Context,
    toolUses: readonly ToolUseBlock[],
  ): Promise<readonly ToolUseBlock[]> | readonly ToolUseBlock[];
  afterToolExecution?(ctx: Context, outputs: readonly ToolResult[]): Promise<void> | void;
}
