import { canonicalJson } from '@wrongstack/contracts';
import type {
  AssistantBlock,
  BuiltInSessionEntry,
  CallId,
  SecretScrubber,
  SessionEntry,
} from '@wrongstack/contracts';

/**
 * What is stored of an entry: secrets masked. Entries of the executor are scrubbed by it already; of the loop's own, people
 * and models may have put a secret into these three.
 */
export function storable(scrubber: SecretScrubber, entry: SessionEntry): SessionEntry {
  // Custom entries have other types; after the comparison the built-in shape holds.
  const known = entry as BuiltInSessionEntry;
  switch (known.type) {
    case 'user_input':
    case 'inject':
    case 'compaction':
      return scrubber.scrubValue(known);
    case 'assistant_message':
      return storableMessage(scrubber, known);
    default:
      return entry;
  }
}

function storableMessage(
  scrubber: SecretScrubber,
  entry: Extract<BuiltInSessionEntry, { type: 'assistant_message' }>,
): SessionEntry {
  const masked: CallId[] = [];
  const content = entry.content.map((block): AssistantBlock => {
    switch (block.type) {
      case 'text':
        return { ...block, text: scrubber.scrub(block.text) };
      case 'thinking':
        return scrubThinking(scrubber, block);
      case 'tool_use': {
        const input = scrubber.scrubValue(block.input);
        if (!same(input, block.input)) masked.push(block.id);
        return block.inputError === undefined
          ? { ...block, input }
          : { ...block, input, inputError: scrubber.scrubValue(block.inputError) };
      }
    }
  });
  return masked.length === 0 ? { ...entry, content } : { ...entry, content, masked };
}

// A signature vouches for the exact text: once that is masked the block can no longer go back to the provider as it was.
function scrubThinking(
  scrubber: SecretScrubber,
  block: Extract<AssistantBlock, { type: 'thinking' }>,
): AssistantBlock {
  const text = scrubber.scrub(block.text);
  return text === block.text ? block : { type: 'text', text: '(a thought that held a secret was masked)' };
}

function same(a: unknown, b: unknown): boolean {
  try {
    return canonicalJson(a ?? null) === canonicalJson(b ?? null);
  } catch {
    return false;
  }
}
