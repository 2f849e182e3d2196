import type { Context, Tool, ToolOptions } from '@wrongstack/contracts';
import { drainStream } from '../execution/drain-stream.js';

/** A tool that streams instead of having an `execute` of its own. */
export type StreamingTool = Omit<Tool, 'execute'> & Required<Pick<Tool, 'executeStream'>>;

export function isStreaming(tool: Tool | StreamingTool): tool is StreamingTool {
  const { execute, executeStream } = tool as Partial<Tool>;
  return execute === undefined && typeof executeStream === 'function';
}

/** What callers of `execute` get from such a tool: the output of its final event, without the progress. */
export function executeByStream(stream: StreamingTool['executeStream']): Tool['execute'] {
  return (input: unknown, context: Context, options: ToolOptions) =>
    drainStream(stream(input, context, options), () => undefined, options.signal);
}
