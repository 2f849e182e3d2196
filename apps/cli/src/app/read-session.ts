import { codeOf, type SessionEntry } from '@wrongstack/contracts';
import type { Host } from './host.js';

/** The entries of a session, or of a subagent's, whichever has this id. Throws what the store throws. */
export async function* readSession(
  { sessions, subagentSessions }: Pick<Host, 'sessions' | 'subagentSessions'>,
  id: string,
): AsyncGenerator<SessionEntry, void, undefined> {
  try {
    yield* sessions.read(id);
  } catch (error) {
    if (codeOf(error) !== 'session.not_found') throw error;
    yield* subagentsOnly(subagentSessions.read(id), error);
  }
}

/** When there is no such subagent either, it is the session that was not found. */
async function* subagentsOnly(
  entries: AsyncIterable<SessionEntry>,
  notFound: unknown,
): AsyncGenerator<SessionEntry, void, undefined> {
  try {
    yield* entries;
  } catch (error) {
    throw codeOf(error) === 'session.not_found' ? notFound : error;
  }
}
