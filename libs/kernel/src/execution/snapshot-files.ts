import { createHash } from 'node:crypto';
import { mkdir, open, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, isoNow } from '@wrongstack/contracts';
import type { Decision, SessionEntry, ToolCall } from '@wrongstack/contracts';
import type { CallScope, ExecutionPorts } from './call-scope.js';

const MOST_FILES = 32;
const LARGEST_FILE = 4 * 1024 * 1024;
export const UNDO_FOLDER = 'undo';
export const ABSENT = 'absent';

type Before = { readonly path: string; readonly digest: string | null };

/**
 * Remembers the files that a call is about to change, for `/undo`. Content goes into the session's private folder and not
 * into the log: it may hold secrets. What cannot be kept (too large, too many, unreadable) cannot be undone, no more.
 */
export class FileSnapshots {
  readonly #before: readonly Before[];
  readonly #scope: CallScope;

  private constructor(before: readonly Before[], scope: CallScope) {
    this.#before = before;
    this.#scope = scope;
  }

  static async take(call: ToolCall, decision: Decision, scope: CallScope): Promise<FileSnapshots> {
    const { paths } = decision.facts;
    const written =
      !call.tool.mutating || paths === 'unknown'
        ? []
        : [
            ...new Set(
              paths.flatMap((path) => (path.access === 'write' && !path.device ? (path.real ?? []) : [])),
            ),
          ];
    const kept: Before[] = [];
    for (const path of written.slice(0, MOST_FILES)) {
      const content = await contentOf(path);
      if (content === undefined) continue;
      if (content !== null && !(await keep(scope.snapshotDir ?? scope.context.scratchDir, content))) continue;
      kept.push({ path, digest: content === null ? null : digest(content) });
    }
    return new FileSnapshots(kept, scope);
  }

  /** Write an entry for each file that the call has changed. */
  async record(call: ToolCall, ports: Pick<ExecutionPorts, 'clock'>): Promise<void> {
    for (const { path, digest: before } of this.#before) {
      const content = await contentOf(path);
      if (content === undefined) continue;
      const after = content === null ? ABSENT : digest(content);
      if (after === (before ?? ABSENT)) continue;
      const entry: SessionEntry = {
        type: 'file_snapshot',
        ts: isoNow(ports.clock),
        call: call.id,
        path,
        before,
        after,
      };
      await this.#scope.log.append(entry);
    }
  }
}

/** `null` = there is no such file; `undefined` = it cannot be kept. */
export async function contentOf(path: string): Promise<Buffer | null | undefined> {
  try {
    const info = await stat(path);
    return info.isFile() && info.size <= LARGEST_FILE ? await readFile(path) : undefined;
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? null : undefined;
  }
}

export function digest(content: Buffer): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

/** Where the content with this digest is kept. */
export function blobPath(scratchDir: string, digestText: string): string {
  return join(scratchDir, UNDO_FOLDER, digestText.replace(/[^a-z0-9]/g, '-'));
}

async function keep(scratchDir: string, content: Buffer): Promise<boolean> {
  try {
    await mkdir(join(scratchDir, UNDO_FOLDER), { recursive: true, mode: 0o700 });
    await writeFile(blobPath(scratchDir, digest(content)), content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    return codeOf(error) === 'EEXIST' && (await sameAsKept(scratchDir, content));
  }
}

// A file of that name may be the rest of a write that was killed; then what it holds is not what it is named for.
async function sameAsKept(scratchDir: string, content: Buffer): Promise<boolean> {
  const path = blobPath(scratchDir, digest(content));
  const kept = await contentOf(path);
  if (Buffer.isBuffer(kept) && kept.equals(content)) return true;
  const file = await open(path, 'w', 0o600).catch(() => null);
  if (file === null) return false;
  try {
    await file.writeFile(content);
    return true;
  } catch {
    return false;
  } finally {
    await file.close();
  }
}
