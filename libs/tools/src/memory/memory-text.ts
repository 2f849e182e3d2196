import type { PresentableResult, RichToolOutput, ToolResultView } from '@wrongstack/contracts';
import { cutText } from '../text/well-formed.js';
import type { ShelvedMemory } from './memory-store.js';

const MOST_SHOWN = 600;

/** `m-0123456789 (project, 2026-01-31, by agent in s-20f1) #tag`: where a memory comes from stands with what it says. */
export function sourceOf({ scope, memory }: ShelvedMemory): string {
  const tags = memory.tags.map((tag) => ` #${tag.replace(/ /g, '-')}`).join('');
  return `${memory.id} (${scope}, ${memory.updated.slice(0, 10)}, by ${memory.by.who} in ${memory.by.session})${tags}`;
}

export function memoryList(found: readonly ShelvedMemory[], limit: number, none: string): RichToolOutput {
  if (found.length === 0) return answer(`[${none}]`, { memories: 0 });
  const shown = found.slice(0, limit);
  const blocks = shown.map((item) => `${sourceOf(item)}\n${shortened(item.memory.text)}`);
  if (found.length > shown.length) blocks.push(`[${found.length - shown.length} more]`);
  return answer(blocks.join('\n\n'), { memories: shown.length, ids: shown.map(({ memory }) => memory.id) });
}

export function wholeMemory(item: ShelvedMemory): RichToolOutput {
  return answer(`${sourceOf(item)}\n${item.memory.text}`, { memories: 1, ids: [item.memory.id] });
}

export function answer(text: string, meta: Readonly<Record<string, unknown>>): RichToolOutput {
  return { content: [{ type: 'text', text }], meta };
}

/** Pure: from what the log holds. */
export function memoryView(title: string, result: PresentableResult): ToolResultView {
  const count = memoryCount(result.meta);
  return {
    card: 'generic',
    title: count === undefined ? title : `${title} · ${count} found`,
    content: result.content,
  };
}

function shortened(text: string): string {
  return text.length <= MOST_SHOWN
    ? text
    : `${cutText(text, MOST_SHOWN)}… [${text.length} characters; memory read shows all]`;
}

function memoryCount(meta: unknown): number | undefined {
  if (typeof meta !== 'object' || meta === null || !('memories' in meta)) return undefined;
  return typeof meta.memories === 'number' ? meta.memories : undefined;
}
