import type { Tool } from '@wrongstack/contracts';
import { createForgetTool } from './forget.tool.js';
import { createMemoryTool } from './memory.tool.js';
import { MemoryStore } from './memory-store.js';
import { createRelatedMemoriesTool, createSearchMemoryTool } from './recall-tools.js';
import { createRememberTool } from './remember.tool.js';

/** The memory tools over one store; the host shares it with {@link memoryContributor}. */
export function createMemoryTools(store: MemoryStore): readonly Tool[] {
  return [
    createMemoryTool(store),
    createSearchMemoryTool(store),
    createRelatedMemoriesTool(store),
    createRememberTool(store),
    createForgetTool(store),
  ];
}

/** The same over a store of their own: what is on disk is what counts, so several stores do not get in each other's way. */
export const memoryTools: readonly Tool[] = createMemoryTools(new MemoryStore());
