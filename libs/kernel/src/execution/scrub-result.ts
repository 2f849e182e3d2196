import type { ContentBlock, ToolResult } from '@wrongstack/contracts';
import type { CallScrubber } from './call-scrubber.js';
import { safeJson } from './safe-json.js';

/** Nothing a model can use is longer; scrubbing has to stay affordable whatever a tool returns. */
const MOST_SCRUBBED = 16 * 1024 * 1024;
const MOST_META = 512 * 1024;

/** Mask secrets in everything a tool returned: text, images' neighbours, meta. Before any cutting, which could split one. */
export function scrubResult(scrubber: CallScrubber, result: ToolResult): ToolResult {
  const content = result.content.map((block): ContentBlock =>
    block.type === 'text'
      ? { type: 'text', text: scrubber.scrub(wellFormed(affordable(block.text))) }
      : block,
  );
  const meta = result.meta === undefined ? undefined : scrubMeta(scrubber, result.meta);
  return { content, isError: result.isError, ...(meta === undefined ? {} : { meta }) };
}

// Meta is stored for replays, so it must be JSON and of a size that a log line can have.
function scrubMeta(scrubber: CallScrubber, meta: unknown): unknown {
  const json = safeJson(meta);
  if (typeof json !== 'string') return { dropped: json.problem };
  if (json.length > MOST_META) return { dropped: `larger than ${MOST_META} characters` };
  return scrubber.scrubValue(JSON.parse(json) as unknown);
}

/** Cuts absurd sizes at a line, so that no secret is split into two halves that nobody recognises. */
function affordable(text: string): string {
  if (text.length <= MOST_SCRUBBED) return text;
  const half = MOST_SCRUBBED / 2;
  const head = text.slice(0, half);
  const tail = text.slice(text.length - half);
  const headEnd = head.lastIndexOf('\n');
  const tailStart = tail.indexOf('\n');
  return `${head.slice(0, Math.max(0, headEnd))}\n[too much output: the middle was dropped]\n${tailStart === -1 ? '' : tail.slice(tailStart + 1)}`;
}

/** Lone surrogates become U+FFFD: they cannot be written as UTF-8 and some readers reject the whole line. */
function wellFormed(text: string): string {
  return /[\ud800-\udfff]/.test(text) ? Buffer.from(text, 'utf8').toString('utf8') : text;
}
