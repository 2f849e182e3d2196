import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, RandomBytes, SessionEntry, SessionId, SessionSummary } from '@wrongstack/contracts';
import {
  SessionStore,
  WrongStackError,
  isoNow,
  newId,
  systemClock,
  readIfThere,
} from '@wrongstack/contracts';
import { FileLock, isLocked } from '../files/file-lock.js';
import { openRegular } from '../files/open-regular.js';
import { PRIVATE_FILE, ensurePrivateFolder, syncFolder } from '../files/private-files.js';
import { readLines } from '../files/read-lines.js';
import { JsonlSessionLog } from './jsonl-session-log.js';
import { repairTail } from './repair-tail.js';
import { parseEntry, readEntries } from './session-lines.js';
import { finishSummary } from './session-summary.js';
import { summarise } from './summary-cache.js';

/** Version of the log's format, in its first entry. A newer one is refused, since appending to it could ruin it. */
export const SESSION_FORMAT_VERSION = 1;

/** Becomes part of file names: no separators, no dots. */
const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;
const SUFFIX = '.jsonl';

export interface JsonlSessionStoreOptions {
  readonly clock?: Clock;
  readonly random?: RandomBytes;
}

/** Sessions as files of one folder: `<id>.jsonl`, its lock `<id>.lock`, and what a repair cut off in `<id>.torn`. */
export class JsonlSessionStore extends SessionStore {
  private readonly clock: Clock;

  constructor(
    private readonly folder: string,
    private readonly options: JsonlSessionStoreOptions = {},
  ) {
    super();
    this.clock = options.clock ?? systemClock;
  }

  override async create(start: {
    readonly projectRoot: string;
    readonly cwd: string;
    readonly model: string;
    readonly branch?: string;
  }): Promise<JsonlSessionLog> {
    await ensurePrivateFolder(this.folder);
    const id = newId('SessionId', this.options.random);
    const lock = this.takeLock(id);
    let handle: FileHandle | undefined;
    try {
      const { O_WRONLY, O_CREAT, O_EXCL, O_APPEND } = constants;
      handle = await open(this.fileOf(id), O_WRONLY | O_CREAT | O_EXCL | O_APPEND, PRIVATE_FILE);
      const log = new JsonlSessionLog(id, this.fileOf(id), handle, lock, 0);
      const version = SESSION_FORMAT_VERSION;
      await log.append({ type: 'session_start', ts: isoNow(this.clock), version, session: id, ...start });
      await log.flush();
      await syncFolder(this.folder);
      return log;
    } catch (thrown) {
      await handle?.close();
      lock.release();
      throw thrown;
    }
  }

  override async open(idOrPrefix: string): Promise<JsonlSessionLog> {
    const id = await this.resolve(idOrPrefix);
    const lock = this.takeLock(id);
    let handle: FileHandle | undefined;
    try {
      const file = this.fileOf(id);
      handle = await openRegular(file, constants.O_RDWR | constants.O_APPEND);
      await this.checkStart(handle, id);
      const repair = await repairTail(handle, join(this.folder, `${id}.torn`));
      const log = new JsonlSessionLog(id, file, handle, lock, repair.size);
      if (repair.what !== null) {
        await log.append({ type: 'repair', ts: isoNow(this.clock), what: repair.what });
        await log.flush();
      }
      return log;
    } catch (thrown) {
      await handle?.close();
      lock.release();
      throw thrown;
    }
  }

  override async list(
    filter: { readonly projectRoot?: string; readonly onUnreadable?: (problem: unknown) => void } = {},
  ): Promise<readonly SessionSummary[]> {
    const summaries: SessionSummary[] = [];
    for (const id of await this.ids()) {
      let summary: SessionSummary;
      try {
        summary = await this.summaryOf(id);
      } catch (thrown) {
        filter.onUnreadable?.(thrown);
        continue;
      }
      if (filter.projectRoot === undefined || summary.projectRoot === filter.projectRoot)
        summaries.push(summary);
    }
    return summaries.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0));
  }

  override async *read(idOrPrefix: string): AsyncGenerator<SessionEntry, void, undefined> {
    const id = await this.resolve(idOrPrefix);
    const handle = await openRegular(this.fileOf(id), constants.O_RDONLY);
    try {
      await this.checkStart(handle, id);
      yield* readEntries(handle);
    } finally {
      await handle.close();
    }
  }

  private fileOf(id: SessionId): string {
    return join(this.folder, `${id}${SUFFIX}`);
  }

  private lockFileOf(id: SessionId): string {
    return join(this.folder, `${id}.lock`);
  }

  private takeLock(id: SessionId): FileLock {
    const attempt = FileLock.tryTake(this.lockFileOf(id));
    if (attempt.taken) return attempt.lock;
    const { pid, host } = attempt.holder;
    const who = pid === null ? 'another process' : `process ${pid}${host === null ? '' : ` on ${host}`}`;
    throw new WrongStackError('session.locked', `session ${id} is in use by ${who}`, {
      hint: 'end it there, or start a new session',
    });
  }

  private async ids(): Promise<SessionId[]> {
    const entries = await readIfThere(this.folder, () => readdir(this.folder, { withFileTypes: true }));
    const names = (entries ?? []).filter((entry) => !entry.isDirectory()).map(({ name }) => name);
    const ids = names.filter((name) => name.endsWith(SUFFIX)).map((name) => name.slice(0, -SUFFIX.length));
    // Files that are named like sessions are sessions; this is where their names become ids.
    return ids.filter((id) => SAFE_ID.test(id)).sort() as SessionId[];
  }

  /** The session with this id, or the only one whose id begins so (`20f1` finds `s-20f1…` too). */
  private async resolve(wanted: string): Promise<SessionId> {
    if (!SAFE_ID.test(wanted)) {
      const shown = JSON.stringify(wanted.slice(0, 40));
      throw new WrongStackError('session.not_found', `${shown} is not a session id`, {
        hint: 'wstack session list',
      });
    }
    const ids = await this.ids();
    const exact = ids.find((id) => id === wanted);
    if (exact !== undefined) return exact;
    const found = ids.filter((id) => id.startsWith(wanted) || id.startsWith(`s-${wanted}`));
    const [only] = found;
    if (only === undefined) {
      throw new WrongStackError('session.not_found', `no session ${wanted}`, { hint: 'wstack session list' });
    }
    if (found.length > 1) {
      const some = found.slice(0, 3).join(', ');
      throw new WrongStackError(
        'session.ambiguous',
        `${found.length} sessions begin with ${wanted}: ${some}`,
        {
          hint: 'write more of the id',
        },
      );
    }
    return only;
  }

  /** The first entry tells whether this is a session at all. Nothing is changed in a file that is none. */
  private async checkStart(handle: FileHandle, id: SessionId): Promise<void> {
    const corrupt = (problem: string): WrongStackError =>
      new WrongStackError('session.corrupt', `session ${this.fileOf(id)}:1 ${problem}`, {
        hint: 'the file is kept as it is; start a new session',
      });
    const { value: line } = await readLines(handle).next();
    if (!line) throw corrupt('is empty');
    const entry = line.bytes === null ? undefined : parseEntry(line.bytes);
    if (entry?.type !== 'session_start') throw corrupt('is not the start of a session');
    const version = (entry as Readonly<Record<string, unknown>>)['version'];
    if (typeof version !== 'number') throw corrupt('has no version');
    if (version > SESSION_FORMAT_VERSION) {
      throw new WrongStackError(
        'session.unsupported',
        `session ${id} was written by a newer version (${version})`,
        {
          hint: 'update wstack',
        },
      );
    }
  }

  /** Throws for a file that is no session of this version. */
  private async summaryOf(id: SessionId): Promise<SessionSummary> {
    const handle = await openRegular(this.fileOf(id), constants.O_RDONLY);
    try {
      await this.checkStart(handle, id);
      const summary = await summarise(handle, join(this.folder, `${id}.summary.json`));
      return finishSummary(id, summary, isLocked(this.lockFileOf(id)));
    } finally {
      await handle.close();
    }
  }
}
