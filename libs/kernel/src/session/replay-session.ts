import type { BuiltInSessionEntry, SessionLog, Usage } from '@wrongstack/contracts';
import { NO_USAGE } from '@wrongstack/contracts';
import { Conversation } from './conversation.js';

export interface ReplayedSession {
  readonly conversation: Conversation;
  readonly start: Extract<BuiltInSessionEntry, { type: 'session_start' }> | null;
  /** The model that answered last. */
  readonly model: string | null;
  readonly mode: string | null;
  /** The last run has no end: its process died. */
  readonly interrupted: boolean;
  readonly usage: Usage;
  readonly entries: number;
}

/** Fold a session's entries into its conversation. Streams, so that a large session stays cheap. */
export async function replaySession(log: Pick<SessionLog, 'entries'>): Promise<ReplayedSession> {
  const conversation = new Conversation();
  let start: ReplayedSession['start'] = null;
  let model: string | null = null;
  let mode: string | null = null;
  let interrupted = false;
  let usage: Usage = NO_USAGE;
  let entries = 0;
  for await (const entry of log.entries()) {
    entries += 1;
    conversation.apply(entry);
    // Custom entries have other types; after the comparison the built-in shape holds.
    const known = entry as BuiltInSessionEntry;
    if (known.type === 'session_start') start ??= known;
    else if (known.type === 'mode') mode = known.mode;
    else if (known.type === 'run_start') interrupted = true;
    else if (known.type === 'run_end') interrupted = false;
    else if (known.type === 'assistant_message') {
      model = known.model;
      usage = addUsage(usage, known.usage);
    }
  }
  return { conversation, start, model, mode, interrupted, usage, entries };
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
  };
}
