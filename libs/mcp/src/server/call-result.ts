import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { CallOutcome } from '@wrongstack/kernel';

/** A parked call is no call that waits: nothing here goes on with it. */
const AGAIN = 'Once it is approved, call it again with the very same input: the approval is used then, once.';

/** How a call ended as the protocol says it. A denial is a result like any other: the client's model must read why. */
export function callResult(outcome: CallOutcome): CallToolResult {
  const { status, result, truncated, files, decision, approval } = outcome;
  const blocks =
    approval === null ? result.content : [...result.content, { type: 'text', text: AGAIN } as const];
  const text = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const exitCode = exitCodeOf(result.meta);
  return {
    content: blocks.map((block) =>
      block.type === 'text'
        ? { type: 'text', text: block.text }
        : { type: 'image', mimeType: block.mediaType, data: block.data },
    ),
    structuredContent: {
      status,
      text,
      truncated,
      ...(exitCode === null ? {} : { exitCode }),
      ...(files.length === 0 ? {} : { files: files.map((file) => ({ ...file })) }),
      ...(decision === null
        ? {}
        : {
            decision: {
              id: decision.id,
              verdict: decision.verdict,
              by: `${decision.by.kind} ${decision.by.id}`,
              because: decision.because,
              ...(decision.instead === null ? {} : { instead: decision.instead }),
            },
          }),
      ...(approval === null ? {} : { approval: approval.id }),
    },
    isError: status !== 'ok' || result.isError,
  };
}

function exitCodeOf(meta: unknown): number | null {
  if (typeof meta !== 'object' || meta === null || !('exitCode' in meta)) return null;
  return typeof meta.exitCode === 'number' && Number.isInteger(meta.exitCode) ? meta.exitCode : null;
}
