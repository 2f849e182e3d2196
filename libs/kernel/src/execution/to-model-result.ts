import type { ContentBlock, RichToolOutput, ToolResult } from '@wrongstack/contracts';
import { messageOf } from '@wrongstack/contracts';
import { textResult } from './call-scope.js';
import type { Invocation, ShapedResult } from './invocation.js';
import { safeJson } from './safe-json.js';

const RICH_KEYS: ReadonlySet<string> = new Set(['content', 'meta', 'isError']);

/** What a tool returned or threw, as the model gets it. Throwing is an error; a failing command is a normal result. */
export function toModelResult(ran: Invocation): ShapedResult {
  switch (ran.kind) {
    case 'returned': {
      const result = shapeOutput(ran.output);
      return { status: result.isError ? 'failed' : 'ok', result };
    }
    case 'threw':
      return {
        status: 'failed',
        result: textResult(`Error: ${messageOf(ran.error) || 'unknown error'}`, true),
      };
    case 'timeout':
    case 'aborted': {
      const what =
        ran.kind === 'timeout'
          ? `Stopped: the time limit of ${ran.afterMs} ms passed.`
          : 'Stopped: interrupted.';
      const left = ran.gaveUp ? ' The tool did not react and was left behind.' : '';
      const effect = ran.output === null ? ' What it did until then is unknown.' : '';
      const notice: ContentBlock = { type: 'text', text: `${what}${left}${effect}` };
      // What a tool still returned while winding down is worth having: nothing already done is lost.
      const partial = ran.output === null ? null : shapeOutput(ran.output.value);
      return {
        status: ran.kind,
        result: { content: [notice, ...(partial?.content ?? [])], isError: true, meta: partial?.meta },
      };
    }
  }
}

/** A plain value becomes one text block; blocks and `{ content, meta, isError }` are taken as they are. */
export function shapeOutput(output: unknown): ToolResult {
  if (typeof output === 'string') return textResult(output, false);
  if (output === undefined) return textResult('(no output)', false);
  if (isBlocks(output)) return { content: output, isError: false };
  if (isRich(output)) {
    return { content: output.content, isError: output.isError === true, meta: output.meta };
  }
  const text = safeJson(output);
  return typeof text === 'string'
    ? textResult(text, false)
    : textResult(`Error: the tool returned something that cannot be written as JSON (${text.problem})`, true);
}

function isBlocks(value: unknown): value is readonly ContentBlock[] {
  return Array.isArray(value) && value.length > 0 && value.every(isBlock);
}

function isBlock(value: unknown): value is ContentBlock {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false;
  if (value.type === 'text') return 'text' in value && typeof value.text === 'string';
  return (
    value.type === 'image' &&
    'data' in value &&
    typeof value.data === 'string' &&
    'mediaType' in value &&
    typeof value.mediaType === 'string'
  );
}

function isRich(value: unknown): value is RichToolOutput {
  if (typeof value !== 'object' || value === null || !('content' in value)) return false;
  const { content } = value;
  return (
    Object.keys(value).every((key) => RICH_KEYS.has(key)) && Array.isArray(content) && content.every(isBlock)
  );
}
