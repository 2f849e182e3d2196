import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { CallOutcome } from '@wrongstack/kernel';

/** How a call ended as the protocol says it. A denial is a result like any other: the client's model must read why. */
export function callResult(outcome: CallOutcome): CallToolResult {
  const { status, result, truncated, files, decision, approval } = outcome;
  const text = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const exitCode = exitCodeOf(result.meta);
  return {
    content: result.content.map((block) =>
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
