import { codeOf, messageOf, nothingAt, WrongStackError } from '@wrongstack/contracts';
import { readEnvironment } from './environment.js';

/** What the system answers when a disk takes nothing, in words. */
const REFUSALS: Readonly<Record<string, string>> = {
  ENOSPC: 'cannot write {}: the disk is full',
  EDQUOT: 'cannot write {}: the quota of the disk is used up',
  EROFS: 'cannot write {}: the file system is read-only',
  EACCES: 'cannot use {}: permission denied',
  EPERM: 'cannot use {}: not permitted',
  ENOTDIR: 'cannot use {}: something that is no folder is in the way',
  EEXIST: 'cannot use {}: something that is no folder is in the way',
};

const DANGLING = 'cannot use {}: a link that leads nowhere is in the way';

const REMEDIES: Readonly<Record<string, string>> = {
  ENOENT: 'move it away',
  ENOTDIR: 'move it away',
  EEXIST: 'move it away',
};

/**
 * An error as it is shown. Those of our own have said what to do; what the disk refused says nothing of the kind, and
 * often not even where: here it does. Everything else stays as it is.
 */
export function readableError(error: unknown, agentHome: () => string = ownFolder): unknown {
  if (error instanceof WrongStackError) return error;
  const refusal = leadsNowhere(error) ? DANGLING : REFUSALS[codeOf(error)];
  if (refusal === undefined) return error;
  const place = pathOf(error) ?? `under ${agentHome()}`;
  return new WrongStackError('storage.refused', `${refusal.replace('{}', () => place)} (${codeOf(error)})`, {
    cause: error,
    hint: `${REMEDIES[codeOf(error)] ?? 'free some space or permit it'}, or set WRONGSTACK_HOME to a folder that you can write to`,
  });
}

/** A folder that cannot be made although nothing says no: a link is in its place, or above it. */
function leadsNowhere(error: unknown): boolean {
  const path = pathOf(error);
  return codeOf(error) === 'ENOENT' && path !== undefined && !nothingAt(path);
}

function pathOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('path' in error)) return undefined;
  return typeof error.path === 'string' ? error.path : undefined;
}

function ownFolder(): string {
  try {
    return readEnvironment().agentHome;
  } catch {
    return 'WRONGSTACK_HOME';
  }
}

/** Message and next step in one line, and the code that both came with. */
export function errorParts(error: unknown): {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
} {
  const readable = readableError(error);
  return {
    code: codeOf(readable),
    message: messageOf(readable),
    hint: readable instanceof WrongStackError ? (readable.hint ?? null) : null,
  };
}
