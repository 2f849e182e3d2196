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

/** Whether the process that writes a session is still there. A subagent's is taken for left: it has no lock of its own here. */
export async function logState(
  { sessions }: Pick<Host, 'sessions'>,
  id: string,
): Promise<'open elsewhere' | 'left'> {
  const found = (await sessions.list()).find((one) => one.id.startsWith(id) || one.id.startsWith(`s-${id}`));
  return found?.state === 'open' ? 'open elsewhere' : 'left';
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
