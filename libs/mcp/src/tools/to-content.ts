import type { ContentBlock, RichToolOutput } from '@wrongstack/contracts';
import { record } from './mcp-definition.js';

/** A server's answer as content blocks. What has no block of its own is described in words. */
export function toOutput(result: unknown): RichToolOutput {
  const answer = record(result) ?? {};
  const blocks = Array.isArray(answer['content']) ? answer['content'].map(toBlock) : [];
  const structured = answer['structuredContent'];
  const content =
    blocks.length === 0 && structured !== undefined
      ? [{ type: 'text' as const, text: JSON.stringify(structured) }]
      : blocks;
  return { content, isError: answer['isError'] === true };
}

export function toBlock(raw: unknown): ContentBlock {
  const block = record(raw) ?? {};
  const { type, text, data, mimeType, uri, resource } = block;
  if (type === 'text' && typeof text === 'string') return { type: 'text', text };
  if (type === 'image' && typeof data === 'string' && typeof mimeType === 'string') {
    return { type: 'image', mediaType: mimeType, data };
  }
  if (type === 'resource') return resourceBlock(record(resource) ?? {});
  if (type === 'resource_link') return { type: 'text', text: `[resource ${String(uri)}]` };
  return { type: 'text', text: `[${typeof type === 'string' ? type : 'unknown'} content, not shown]` };
}

export function resourceBlock({
  uri,
  text,
  blob,
  mimeType,
}: Readonly<Record<string, unknown>>): ContentBlock {
  if (typeof text === 'string') return { type: 'text', text };
  if (typeof blob === 'string' && typeof mimeType === 'string' && mimeType.startsWith('image/')) {
    return { type: 'image', mediaType: mimeType, data: blob };
  }
  return {
    type: 'text',
    text: `[resource ${String(uri)}, ${typeof mimeType === 'string' ? mimeType : 'unknown type'}, not shown]`,
  };
}
