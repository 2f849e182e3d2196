import type { CallId, ContentBlock, RegisteredTool, TaskExit, ToolResult } from '@wrongstack/contracts';
import { boundOutput } from '../execution/bound-output.js';
import type { ExecutionLimits } from '../execution/call-scope.js';
import type { CallScrubber } from '../execution/call-scrubber.js';
import type { ShapedResult } from '../execution/invocation.js';
import { exitCodeOf } from '../execution/record-result.js';
import { scrubResult } from '../execution/scrub-result.js';

/** How a task ended, from what its tool returned: scrubbed, cut, and nothing in it that cannot be stored. */
export async function taskExit(
  { status, result }: ShapedResult,
  parts: {
    readonly tool: RegisteredTool;
    readonly call: CallId;
    readonly scratchDir: string;
    readonly scrubber: CallScrubber;
    readonly limits: ExecutionLimits;
  },
): Promise<TaskExit> {
  const { tool, call, scratchDir, scrubber, limits } = parts;
  const maxBytes = tool.maxOutputBytes ?? limits.maxOutputBytes;
  const scrubbed = scrubResult(scrubber, result);
  const { result: bounded, truncated } = await boundOutput(scrubbed, { maxBytes, scratchDir, call });
  const text = textOfResult(bounded);
  const exitCode = exitCodeOf(bounded.meta);
  switch (status) {
    case 'aborted':
      return { state: 'killed', exitCode, reason: firstLine(text), result: text, truncated };
    case 'timeout':
    case 'failed':
      return { state: 'failed', exitCode, reason: firstLine(text), result: text, truncated };
    case 'ok':
      // A program that fails is a normal result for a model; for whoever waits for a task it is a task that failed.
      return exitCode === null || exitCode === 0
        ? { state: 'completed', exitCode, reason: null, result: text, truncated }
        : { state: 'failed', exitCode, reason: `exit ${exitCode}`, result: text, truncated };
  }
}

/** It came to no result: why, in one line. */
export function noResult(state: 'failed' | 'killed', reason: string): TaskExit {
  return { state, exitCode: null, reason, result: '', truncated: false };
}

function textOfResult({ content }: ToolResult): string {
  return content
    .map((block: ContentBlock) => (block.type === 'text' ? block.text : `[${block.mediaType} image]`))
    .join('\n');
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.slice(0, 300) ?? '';
}
