import { rename, truncate, unlink, writeFile } from 'node:fs/promises';
import { codeOf, isoNow, messageOf, WrongStackError } from '@wrongstack/contracts';
import type { BuiltInSessionEntry, CallId, Clock, SessionLog } from '@wrongstack/contracts';
import { ABSENT, blobPath, contentOf, digest } from '../execution/snapshot-files.js';

type Snapshot = Extract<BuiltInSessionEntry, { type: 'file_snapshot' }>;

export interface UndoneCall {
  readonly call: CallId;
  /** Files that were put back; one that was new before the call is deleted. */
  readonly restored: readonly string[];
  readonly deleted: readonly string[];
}

/**
 * Take back the file changes of the last call that changed any. All or nothing: throws `undo.nothing`, `undo.changed` when
 * a file is no longer as the call left it, and `undo.lost` when its earlier content was not kept.
 */
export async function undoLastChange(
  log: SessionLog,
  options: { readonly scratchDir: string; readonly clock: Clock },
): Promise<UndoneCall> {
  const snapshots = await lastChange(log);
  const [first] = snapshots;
  if (first === undefined)
    throw new WrongStackError('undo.nothing', 'no file change of this session is left to undo');
  const contents = new Map<string, Buffer | null>();
  for (const snapshot of snapshots)
    contents.set(snapshot.path, await contentBefore(snapshot, options.scratchDir));
  const restored: string[] = [];
  const deleted: string[] = [];
  for (const [path, content] of contents) {
    if (content === null) {
      await unlink(path);
      deleted.push(path);
    } else {
      await putBack(path, content);
      restored.push(path);
    }
  }
  await log.append({ type: 'undo', ts: isoNow(options.clock), call: first.call });
  return { call: first.call, restored, deleted };
}

async function lastChange(log: SessionLog): Promise<readonly Snapshot[]> {
  const changes = new Map<CallId, Snapshot[]>();
  for await (const entry of log.entries()) {
    // Custom entries have other types; after the comparison the built-in shape holds.
    const known = entry as BuiltInSessionEntry;
    if (known.type === 'file_snapshot') {
      const list = changes.get(known.call) ?? [];
      changes.delete(known.call);
      changes.set(known.call, [...list, known]);
    } else if (entry.type === 'undo' && 'call' in entry) changes.delete(entry.call as CallId);
  }
  return [...changes.values()].at(-1) ?? [];
}

async function contentBefore(snapshot: Snapshot, scratchDir: string): Promise<Buffer | null> {
  const now = await contentOf(snapshot.path);
  const present = now === undefined ? 'unreadable' : now === null ? ABSENT : digest(now);
  if (present !== snapshot.after) {
    throw new WrongStackError(
      'undo.changed',
      `${snapshot.path} changed since the call; nothing was undone, restore it by hand`,
    );
  }
  if (snapshot.before === null) return null;
  const kept = await contentOf(blobPath(scratchDir, snapshot.before));
  if (!Buffer.isBuffer(kept) || digest(kept) !== snapshot.before) {
    throw new WrongStackError(
      'undo.lost',
      `the earlier content of ${snapshot.path} was not kept; nothing was undone`,
    );
  }
  return kept;
}

/** Over the present file where there is one (its mode and links stay), else as a new file, whole or not at all. */
async function putBack(path: string, content: Buffer): Promise<void> {
  try {
    await writeFile(path, content, { flag: 'r+' });
    await truncate(path, content.length);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') {
      throw new WrongStackError('undo.failed', `${path} could not be put back: ${messageOf(error)}`, {
        cause: error,
      });
    }
    const temporary = `${path}.undo-${process.pid}`;
    await writeFile(temporary, content, { flag: 'wx' });
    await rename(temporary, path);
  }
}
