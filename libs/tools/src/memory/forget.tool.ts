import type { RichToolOutput, Tool } from '@wrongstack/contracts';
import { rawInput, shown } from '../read-input.js';
import { forgetMemory } from './memory-actions.js';
import { noClaims } from '../claims.js';
import type { MemoryStore } from './memory-store.js';

export interface ForgetInput {
  readonly id: string;
}

export function createForgetTool(store: MemoryStore): Tool<ForgetInput, RichToolOutput> {
  return {
    name: 'forget',
    description: 'Delete one memory by its id.',
    inputSchema: {
      type: 'object',
      properties: { id: { type: 'string', minLength: 1 } },
      required: ['id'],
      additionalProperties: false,
    },
    permission: 'confirm',
    mutating: true,
    riskTier: 'standard',
    capabilities: ['memory.delete'],
    category: 'Memory',
    idempotent: true,
    timeoutMs: 15_000,
    maxOutputBytes: 4_000,
    execute: async (input, ctx, opts) => forgetMemory({ store, raw: rawInput(input), ctx, opts }),
    describeCall: noClaims,
    presentCall: (input) => ({
      card: 'generic',
      kind: 'delete',
      title: `forget ${shown(input, 'id')}`.trim(),
    }),
    presentResult: (input, result) => ({
      card: 'generic',
      title: `forget ${shown(input, 'id')}`.trim(),
      content: forgotten(result.meta) ?? result.content,
    }),
  };
}

/** What is gone, for the person alone: the model asked for it to be gone. */
function forgotten(meta: unknown): readonly { readonly type: 'text'; readonly text: string }[] | undefined {
  if (typeof meta !== 'object' || meta === null || !('text' in meta)) return undefined;
  return typeof meta.text === 'string' ? [{ type: 'text', text: meta.text }] : undefined;
}
