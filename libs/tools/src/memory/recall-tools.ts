import type { RichToolOutput, Tool } from '@wrongstack/contracts';
import { rawInput, shown } from '../read-input.js';
import { relatedMemories, searchMemories, MOST_FOUND } from './memory-actions.js';
import { noClaims } from '../claims.js';
import type { MemoryScope } from './memory-record.js';
import type { MemoryStore } from './memory-store.js';
import { memoryView } from './memory-text.js';

export interface SearchMemoryInput {
  readonly query: string;
  readonly scope?: MemoryScope;
  readonly limit?: number;
}

export interface RelatedMemoriesInput {
  /** One of `id` and `text`. */
  readonly id?: string;
  readonly text?: string;
  readonly limit?: number;
}

const RECALL = {
  permission: 'auto',
  mutating: false,
  riskTier: 'safe',
  capabilities: ['memory.read'],
  category: 'Memory',
  idempotent: true,
  timeoutMs: 15_000,
  maxOutputBytes: 20_000,
  describeCall: noClaims,
} as const;

const LIMIT = { type: 'integer', minimum: 1, maximum: MOST_FOUND } as const;

export function createSearchMemoryTool(store: MemoryStore): Tool<SearchMemoryInput, RichToolOutput> {
  return {
    ...RECALL,
    name: 'search_memory',
    description: 'Search what was remembered about this project and its user, best match first.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1 },
        scope: { type: 'string', enum: ['project', 'user'] },
        limit: LIMIT,
      },
      required: ['query'],
      additionalProperties: false,
    },
    execute: async (input, ctx, opts) => searchMemories({ store, raw: rawInput(input), ctx, opts }),
    presentCall: (input) => ({
      card: 'generic',
      kind: 'search',
      title: shown(input, 'query', 'search_memory'),
    }),
    presentResult: (input, result) => memoryView(shown(input, 'query', 'search_memory'), result),
  };
}

export function createRelatedMemoriesTool(store: MemoryStore): Tool<RelatedMemoriesInput, RichToolOutput> {
  const title = (input: unknown): string =>
    `related to ${shown(input, 'id') || shown(input, 'text', '?').slice(0, 80)}`;
  return {
    ...RECALL,
    name: 'find_related_memories',
    description: 'Find memories related to another memory (id) or to a text.',
    inputSchema: {
      type: 'object',
      properties: { id: { type: 'string' }, text: { type: 'string', minLength: 1 }, limit: LIMIT },
      additionalProperties: false,
    },
    execute: async (input, ctx, opts) => relatedMemories({ store, raw: rawInput(input), ctx, opts }),
    presentCall: (input) => ({ card: 'generic', kind: 'search', title: title(input) }),
    presentResult: (input, result) => memoryView(title(input), result),
  };
}
