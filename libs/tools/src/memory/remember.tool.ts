import type { RichToolOutput, Tool } from '@wrongstack/contracts';
import { rawInput, shown } from '../read-input.js';
import { writeMemory } from './memory-actions.js';
import { MOST_TEXT } from './memory-call.js';
import type { MemoryScope } from './memory-record.js';
import type { MemoryStore } from './memory-store.js';
import { noClaims } from '../claims.js';

export interface RememberInput {
  readonly text: string;
  readonly tags?: readonly string[];
  readonly scope?: MemoryScope;
}

/**
 * Asks each time: what is remembered speaks in every later session's prompt, so a page or a file that talks the agent
 * into remembering something must not get there unseen.
 */
export function createRememberTool(store: MemoryStore): Tool<RememberInput, RichToolOutput> {
  return {
    name: 'remember',
    description:
      'Keep one lasting fact for later sessions: a decision, a convention, a preference. No secrets. Scope user = all projects.',
    inputSchema: {
      type: 'object',
      properties: {
        text: { type: 'string', minLength: 1, maxLength: MOST_TEXT },
        tags: { type: 'array', items: { type: 'string' } },
        scope: { type: 'string', enum: ['project', 'user'] },
      },
      required: ['text'],
      additionalProperties: false,
    },
    permission: 'confirm',
    mutating: true,
    riskTier: 'standard',
    capabilities: ['memory.write'],
    category: 'Memory',
    // Remembering the same again changes nothing.
    idempotent: true,
    timeoutMs: 15_000,
    maxOutputBytes: 4_000,
    execute: async (input, ctx, opts) => {
      // Changing a memory by its id is the `memory` tool's.
      const { id: _unused, ...raw } = rawInput(input);
      return writeMemory({ store, raw, ctx, opts });
    },
    describeCall: noClaims,
    presentCall: (input) => ({
      card: 'generic',
      kind: 'other',
      title: shown(input, 'scope') === 'user' ? 'remember in all projects' : 'remember in this project',
      content: [{ type: 'text', text: shown(input, 'text') }],
    }),
    presentResult: (input, result) => ({
      card: 'generic',
      title: `remember · ${shown(input, 'text').split('\n')[0]?.slice(0, 80) ?? ''}`,
      content: result.content,
    }),
  };
}
