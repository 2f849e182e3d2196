import type { Context, RichToolOutput, ToolOptions } from '@wrongstack/contracts';
import { filledText, optionalInteger, type RawInput } from '../read-input.js';
import { agentSource, memoryId, memoryScope, memoryScopes, memoryTags, memoryText } from './memory-call.js';
import type { MemoryStore } from './memory-store.js';
import { answer, memoryList, wholeMemory } from './memory-text.js';

/**
 * What the memory tools do, each once: `memory` offers all of it behind one permission, the small tools one each, so
 * that looking needs no question and a policy can speak about writing and forgetting apart.
 */
export interface MemoryCall {
  readonly store: MemoryStore;
  readonly raw: RawInput;
  readonly ctx: Context;
  readonly opts: ToolOptions;
}

const DEFAULT_FOUND = 8;
export const MOST_FOUND = 20;

export async function readMemories({ store, raw, ctx, opts }: MemoryCall): Promise<RichToolOutput> {
  const id = raw['id'] === undefined ? undefined : memoryId(raw);
  const scopes = memoryScopes(raw);
  const limit = readLimit(raw);
  opts.signal.throwIfAborted();
  if (id === undefined) return memoryList(await store.all(ctx, scopes), limit, 'nothing is remembered yet');
  const found = await store.find(ctx, id);
  return found === undefined ? unknownId(id) : wholeMemory(found);
}

export async function searchMemories({ store, raw, ctx, opts }: MemoryCall): Promise<RichToolOutput> {
  const query = filledText(raw, 'query').slice(0, 1_000);
  const scopes = memoryScopes(raw);
  const limit = readLimit(raw);
  opts.signal.throwIfAborted();
  return memoryList(await store.search(ctx, query, scopes), limit, 'no memory has these words');
}

export async function relatedMemories({ store, raw, ctx, opts }: MemoryCall): Promise<RichToolOutput> {
  const id = raw['id'] === undefined ? undefined : memoryId(raw);
  const text = id === undefined ? filledText(raw, 'text').slice(0, 10_000) : '';
  const limit = readLimit(raw);
  opts.signal.throwIfAborted();
  const origin = id === undefined ? undefined : await store.find(ctx, id);
  if (id !== undefined && origin === undefined) return unknownId(id);
  return memoryList(await store.related(ctx, origin?.memory.text ?? text, id), limit, 'no memory is related');
}

export async function writeMemory({ store, raw, ctx, opts }: MemoryCall): Promise<RichToolOutput> {
  const text = memoryText(raw, opts);
  const tags = memoryTags(raw, opts);
  const id = raw['id'] === undefined ? undefined : memoryId(raw);
  const named = memoryScope(raw, 'project');
  opts.signal.throwIfAborted();
  const scope = id === undefined ? named : ((await store.find(ctx, id))?.scope ?? named);
  const by = agentSource(ctx);
  const done = await store.remember(ctx, { scope, text, tags, by, id, signal: opts.signal });
  if (done.kind === 'missing') return unknownId(done.id);
  const verb = { added: 'remembered', changed: 'changed', known: 'already remembered' }[done.kind];
  return answer(`${verb} ${done.memory.id} (${scope})`, { ids: [done.memory.id], text: done.memory.text });
}

export async function forgetMemory({ store, raw, ctx, opts }: MemoryCall): Promise<RichToolOutput> {
  const id = memoryId(raw);
  opts.signal.throwIfAborted();
  const gone = await store.forget(ctx, id, agentSource(ctx), opts.signal);
  if (gone === undefined) return unknownId(id);
  return answer(`forgot ${id} (${gone.scope})`, { ids: [id], text: gone.memory.text });
}

function readLimit(raw: RawInput): number {
  return optionalInteger(raw, 'limit', { min: 1, max: MOST_FOUND, fallback: DEFAULT_FOUND });
}

function unknownId(id: string): RichToolOutput {
  return answer(`[no memory has the id ${id}]`, { memories: 0 });
}
