import path from 'node:path';
import { type ListSessionsRequest, type ListSessionsResponse, RequestError } from '@agentclientprotocol/sdk';
import type { SessionStore } from '@wrongstack/contracts';
import { findProjectRoot, workingFolder } from '../app/project-root.js';
import { escapeText } from '../terminal/escape-text.js';
import { protocolError } from './protocol-error.js';

const PAGE = 50;

/** Stored sessions, newest first, a page at a time. With `cwd`, those of the project that it lies in. */
export async function listSessions(
  sessions: Pick<SessionStore, 'list'>,
  { cwd, cursor }: ListSessionsRequest,
  home: string,
): Promise<ListSessionsResponse> {
  const from = cursor === undefined || cursor === null ? 0 : Number(cursor);
  if (!Number.isSafeInteger(from) || from < 0) throw RequestError.invalidParams(undefined, 'unknown cursor');
  const filter = typeof cwd === 'string' ? { projectRoot: projectOf(cwd, home) } : {};
  const all = await sessions.list(filter);
  const page = all.slice(from, from + PAGE).map(({ id, projectRoot, preview, updatedAt }) => ({
    sessionId: id,
    cwd: projectRoot,
    title: escapeText(preview),
    updatedAt,
  }));
  const next = from + page.length;
  return { sessions: page, nextCursor: next < all.length ? String(next) : null };
}

function projectOf(cwd: string, home: string): string {
  if (!path.isAbsolute(cwd)) throw RequestError.invalidParams(undefined, `cwd must be absolute: ${cwd}`);
  try {
    return findProjectRoot(workingFolder(cwd), home);
  } catch (error) {
    throw protocolError(error);
  }
}
