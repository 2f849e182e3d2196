// The interface as the guide prints it, and that ours can stand for it and the other way round.
import type { Context, JSONSchema, Tool as OurTool, ToolStreamEvent } from '@wrongstack/core';

interface Tool<I, O> {
  name: string;
  description: string;
  usageHint?: string;
  inputSchema: JSONSchema;
  permission: 'auto' | 'confirm' | 'deny';
  mutating: boolean;
  riskTier?: 'safe' | 'standard' | 'destructive';
  maxOutputBytes?: number;
  timeoutMs?: number;
  estimatedDurationMs?: number;
  execute(input: I, ctx: Context, opts: { signal: AbortSignal }): Promise<O>;
  executeStream?(input: I, ctx: Context, opts: { signal: AbortSignal }): AsyncIterable<ToolStreamEvent<O>>;
  cleanup?(input: I, ctx: Context): Promise<void>;
}

interface Input {
  readonly a: string;
}
interface Output {
  readonly b: number;
}

export const asPrinted = (tool: OurTool<Input, Output>): Tool<Input, Output> => tool;
export const asOurs = (tool: Tool<Input, Output>): OurTool<Input, Output> => tool;
/** No field of the printed interface is missing from ours. */
export const missing: Exclude<keyof Tool<Input, Output>, keyof OurTool> extends never ? 'none' : 'some' =
  'none';
