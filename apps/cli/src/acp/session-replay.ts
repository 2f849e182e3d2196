import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { BuiltInSessionEntry, SessionEntry } from '@wrongstack/contracts';
import { isBuiltInEntry } from '@wrongstack/kernel';
import { TODO_ENTRY, TODO_KEY, todoList } from '@wrongstack/tools';
import type { CallCards } from './call-cards.js';
import { plan } from './plan-update.js';
import { wireBlock } from './wire-content.js';

/** One entry of a session's log as the updates that a live run would have sent for it. */
export function replayEntry(entry: SessionEntry, cards: CallCards): SessionUpdate[] {
  if (entry.type === TODO_ENTRY && 'items' in entry) return [plan(todoList({ [TODO_KEY]: entry.items }))];
  if (!isBuiltIn(entry)) return [];
  switch (entry.type) {
    case 'user_input':
      return entry.content.map((block) => ({
        sessionUpdate: 'user_message_chunk',
        content: wireBlock(block),
      }));
    case 'assistant_message':
      return entry.content.flatMap((block): SessionUpdate[] => {
        if (block.type === 'tool_use' || block.text === '') return [];
        const sessionUpdate = block.type === 'thinking' ? 'agent_thought_chunk' : 'agent_message_chunk';
        return [{ sessionUpdate, content: { type: 'text', text: block.text } }];
      });
    case 'tool_use':
      return cards.requested(entry.call, entry.name, entry.input);
    case 'tool_result': {
      const { call, name, status, content, isError, meta } = entry;
      return cards.ended({ call, name, status, result: { content, isError, meta } });
    }
    default:
      return [];
  }
}

// Plugins name their entries `plugin:event`; the store refuses them a built-in name.
function isBuiltIn(entry: SessionEntry): entry is BuiltInSessionEntry {
  return isBuiltInEntry(entry.type);
}
