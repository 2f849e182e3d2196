import type { RichToolOutput, Tool } from '@wrongstack/contracts';
import { badInput, rawInput, shown } from '../read-input.js';
import {
  forgetMemory,
  readMemories,
  searchMemories,
  writeMemory,
  MOST_FOUND,
  type MemoryCall,
} from './memory-actions.js';
import { noClaims } from '../claims.js';
import type { MemoryScope } from './memory-record.js';
import type { MemoryStore } from './memory-store.js';
import { memoryView } from './memory-text.js';

export type MemoryAction = 'read' | 'search' | 'write' | 'delete';

export interface MemoryInput {
  readonly action: MemoryAction;
  readonly id?: string;
  readonly query?: string;
  readonly text?: string;
  readonly tags?: readonly string[];
  readonly scope?: MemoryScope;
  readonly limit?: number;
}

const ACTIONS: Readonly<Record<MemoryAction, (call: MemoryCall) => Promise<RichToolOutput>>> = {
  read: readMemories,
  search: searchMemories,
  write: writeMemory,
  delete: forgetMemory,
};

/** Everything about memories behind one question; `search_memory`, `remember` and `forget` are the same, apart. */
export function createMemoryTool(store: MemoryStore): Tool<MemoryInput, RichToolOutput> {
  return {
    name: 'memory',
    description:
      'Manage memories: read (newest, or one by id), search, write (with id: change), delete. Scope: project or user.',
    inputSchema: {
      type: 'object',
      properties: {
        action: { type: 'string', enum: ['read', 'search', 'write', 'delete'] },
        id: { type: 'string' },
        query: { type: 'string' },
        text: { type: 'string' },
        tags: { type: 'array', items: { type: 'string' } },
        scope: { type: 'string', enum: ['project', 'user'] },
        limit: { type: 'integer', minimum: 1, maximum: MOST_FOUND },
      },
      required: ['action'],
      additionalProperties: false,
    },
    permission: 'confirm',
    mutating: true,
    riskTier: 'standard',
    capabilities: ['memory.read', 'memory.write', 'memory.delete'],
    category: 'Memory',
    timeoutMs: 15_000,
    maxOutputBytes: 20_000,
    execute: async (input, ctx, opts) => {
      const raw = rawInput(input);
      const action = Object.keys(ACTIONS).find((known): known is MemoryAction => known === raw['action']);
      if (action === undefined) throw badInput('action', 'must be read, search, write or delete');
      return ACTIONS[action]({ store, raw, ctx, opts });
    },
    describeCall: noClaims,
    presentCall: (input) => {
      const text = shown(input, 'text');
      return {
        card: 'generic',
        kind: shown(input, 'action') === 'delete' ? 'delete' : 'other',
        title: title(input),
        ...(text === '' ? {} : { content: [{ type: 'text', text }] }),
      };
    },
    presentResult: (input, result) => memoryView(title(input), result),
  };
}

function title(input: unknown): string {
  const subject = shown(input, 'query') || shown(input, 'id');
  return `memory ${shown(input, 'action')} ${subject}`.replace(/\s+/g, ' ').trim();
}
