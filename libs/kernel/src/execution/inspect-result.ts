import type { ToolCall } from '@wrongstack/contracts';
import { messageOf } from '@wrongstack/contracts';
import { textResult } from './call-scope.js';
import type { HookRunner } from './call-scope.js';
import type { ShapedResult } from './invocation.js';

/** Run the `tools/post-execute` hooks on the raw result. A hook that fails withholds the result: it was there to look. */
export async function inspectResult(
  hooks: HookRunner,
  { id, tool, input, cwd, projectRoot }: ToolCall,
  shaped: ShapedResult,
): Promise<ShapedResult> {
  const call = { callId: id, tool: tool.name, owner: tool.owner, input, cwd, projectRoot };
  try {
    // A signal of its own: the call may have been aborted, and its result is inspected all the same.
    const result = await hooks.runPostExecute(call, shaped.result, new AbortController().signal);
    const status = shaped.status === 'ok' && result.isError ? 'failed' : shaped.status;
    return { status, result };
  } catch (error) {
    const text = `The call ran, but a tools/post-execute hook failed and its result is withheld: ${messageOf(error)}`;
    return { status: shaped.status === 'ok' ? 'failed' : shaped.status, result: textResult(text, true) };
  }
}
