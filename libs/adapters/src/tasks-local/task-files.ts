import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, isTaskId, sha256, WrongStackError } from '@wrongstack/contracts';
import type { SessionId, TaskId, TaskRecord } from '@wrongstack/contracts';
import { FileLock } from '../files/file-lock.js';
import {
  ensurePrivateFolder,
  PRIVATE_FILE,
  PRIVATE_FOLDER,
  writePrivateFile,
} from '../files/private-files.js';
import type { ProcessIdentity } from '../files/process-identity.js';

const LOCK_PATIENCE_MS = 2_000;

/** A record as it lies on disk, with the process that it lives and dies with. */
export interface StoredTask {
  readonly record: TaskRecord;
  readonly process: ProcessIdentity;
}

/**
 * The folder of all tasks (0700): `t-…/record.json`, its output, a kill request where somebody asked; `by-session/` and `keys/`
 * hold names only. Ids come from `isTaskId`, so that none of them leads elsewhere; other names are hashed.
 */
export class TaskFiles {
  constructor(private readonly root: string) {}

  folder(id: TaskId): string {
    return join(this.root, id);
  }

  async create(stored: StoredTask): Promise<void> {
    await ensurePrivateFolder(this.root);
    await mkdir(this.folder(stored.record.id), { mode: PRIVATE_FOLDER });
    await this.write(stored);
    const marks = this.#sessionFolder(stored.record.owner.session);
    await mkdir(marks, { recursive: true, mode: PRIVATE_FOLDER });
    await writeFile(join(marks, stored.record.id), '', { mode: PRIVATE_FILE });
  }

  async write(stored: StoredTask): Promise<void> {
    await writePrivateFile(join(this.folder(stored.record.id), 'record.json'), JSON.stringify(stored));
  }

  /** Null when there is none; one that cannot be read was torn by a crash while it was made, and never ran. */
  read(id: TaskId): StoredTask | null {
    try {
      const value: unknown = JSON.parse(readFileSync(join(this.folder(id), 'record.json'), 'utf8'));
      // Written by us alone, in a folder that its owner alone can enter.
      return typeof value === 'object' && value !== null && 'record' in value ? (value as StoredTask) : null;
    } catch (error) {
      if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return null;
      throw error;
    }
  }

  async ids(session?: SessionId): Promise<readonly TaskId[]> {
    const folder = session === undefined ? this.root : this.#sessionFolder(session);
    try {
      return (await readdir(folder)).filter(isTaskId);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    }
  }

  /**
   * The task that has this key: the given one, which must be on disk already, when nobody had it. Under a lock, so that of two
   * that ask at the same time one gets the other's.
   */
  async claimKey(owner: string, key: string, id: TaskId): Promise<TaskId> {
    const folder = join(this.root, 'keys');
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
    const file = join(folder, sha256(JSON.stringify([owner, key])).slice('sha256:'.length));
    const attempt = await FileLock.take(`${file}.lock`, LOCK_PATIENCE_MS);
    if (!attempt.taken) {
      throw new WrongStackError(
        'task.queue_unavailable',
        'another process holds the lock of this task key; try again',
      );
    }
    try {
      const known = readText(file);
      // The task of a key may have been removed since, by its age.
      if (known !== null && isTaskId(known) && this.read(known) !== null) return known;
      await writePrivateFile(file, id);
      return id;
    } finally {
      attempt.lock.release();
    }
  }

  requestKill(id: TaskId, reason: string): void {
    writeFileSync(this.#killFile(id), reason, { mode: PRIVATE_FILE });
  }

  /** Why somebody in another process wants the task to end, once. */
  takeKillRequest(id: TaskId): string | null {
    const reason = readText(this.#killFile(id));
    if (reason !== null) rmSync(this.#killFile(id), { force: true });
    return reason;
  }

  async remove({ id, owner }: TaskRecord): Promise<void> {
    await rm(join(this.#sessionFolder(owner.session), id), { force: true });
    await rm(this.folder(id), { recursive: true, force: true });
  }

  #killFile(id: TaskId): string {
    return join(this.folder(id), 'kill');
  }

  #sessionFolder(session: string): string {
    return join(this.root, 'by-session', sha256(session).slice('sha256:'.length, 'sha256:'.length + 32));
  }
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
