import { setTimeout as sleep } from 'node:timers/promises';
import {
  isFinalState,
  isoNow,
  systemClock,
  TaskQueue,
  transitioned,
  WrongStackError,
} from '@wrongstack/contracts';
import type {
  Clock,
  Disposer,
  NewTask,
  TaskExit,
  TaskFilter,
  TaskId,
  TaskOutput,
  TaskRecord,
  TaskWork,
} from '@wrongstack/contracts';
import { FileLock } from '../files/file-lock.js';
import { mayBeAlive, ownIdentity } from '../files/process-identity.js';
import { keptOutput, readSegments, SEGMENT_BYTES } from './output-segments.js';
import { OwnTask } from './own-task.js';
import { pruneTasks, type Retention, RETENTION } from './prune-tasks.js';
import { type StoredTask, TaskFiles } from './task-files.js';
import { cursorError, holderOfKey, tooManyTasks } from '../tasks/task-answers.js';
import { matches, newRecord } from '../tasks/new-record.js';
import { textSlice } from './text-slice.js';
import { WaitingTasks } from './waiting-tasks.js';

export interface LocalTaskQueueOptions {
  /** Made with the first task. */
  readonly folder: string;
  readonly clock?: Clock;
  /** Tasks that run at once. */
  readonly concurrency?: number;
  /** Tasks of one owner that have not ended. */
  readonly mostOfOwner?: number;
  /** Of all owners of one tenant. */
  readonly mostOfTenant?: number;
  readonly segmentBytes?: number;
  /** Output kept of one task. */
  readonly mostOutputBytes?: number;
  readonly retention?: Partial<Retention>;
}

const POLL_MS = 150;
const CLOSE_GRACE_MS = 0;
const LOCK_PATIENCE_MS = 500;

/**
 * Tasks that run in this process and live as long as it does. All there is to know of them is on disk, so that any process
 * of the same person can list, read and kill them, and see by the process that is gone that a task is lost.
 */
export class LocalTaskQueue extends TaskQueue {
  readonly #files: TaskFiles;
  readonly #clock: Clock;
  readonly #options: Required<Omit<LocalTaskQueueOptions, 'clock' | 'folder' | 'retention'>>;
  readonly #retention: Retention;
  readonly #process = ownIdentity();
  readonly #waiting = new WaitingTasks();
  readonly #own = new Map<TaskId, OwnTask>();
  readonly #running = new Map<TaskId, Promise<void>>();
  readonly #listeners = new Set<(record: TaskRecord) => void>();
  #work: TaskWork | null = null;
  #killPoll: NodeJS.Timeout | null = null;
  #delay: NodeJS.Timeout | null = null;
  #pruned = false;
  #closed = false;

  constructor(options: LocalTaskQueueOptions) {
    super();
    this.#files = new TaskFiles(options.folder);
    this.#clock = options.clock ?? systemClock;
    this.#retention = { ...RETENTION, ...options.retention };
    this.#options = {
      concurrency: options.concurrency ?? 8,
      mostOfOwner: options.mostOfOwner ?? 32,
      mostOfTenant: options.mostOfTenant ?? 1_000,
      segmentBytes: options.segmentBytes ?? SEGMENT_BYTES,
      mostOutputBytes: options.mostOutputBytes ?? 128 * 1024 * 1024,
    };
  }

  override async add(task: NewTask): Promise<TaskRecord> {
    if (this.#closed)
      throw new WrongStackError('task.queue_unavailable', 'this process is ending and takes no tasks');
    this.#checkLimit(task);
    const record = newRecord(task, isoNow(this.#clock));
    await this.#files.create({ record, process: this.#process });
    const known = await this.#sameKey(task, record);
    if (known !== null) return known;
    const own = new OwnTask(this.#parts(), task, record);
    this.#own.set(record.id, own);
    this.#announce(record);
    if (task.adopted !== undefined) this.#begin(record.id, own, task.adopted);
    else this.#waiting.add(task, record, this.#clock.now());
    this.#watchKills();
    this.#next();
    void this.#prune();
    return own.record;
  }

  override async get(id: TaskId): Promise<TaskRecord | null> {
    const own = this.#own.get(id);
    if (own !== undefined) return own.record;
    const stored = this.#files.read(id);
    return stored === null ? null : this.#asItIs(stored);
  }

  override async list(filter: TaskFilter): Promise<readonly TaskRecord[]> {
    const ids = await this.#files.ids(filter.session);
    const records: TaskRecord[] = [];
    for (const id of ids) {
      const record = await this.get(id);
      if (record !== null && matches(record, filter)) records.push(record);
    }
    return records.sort((a, b) =>
      a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : a.id < b.id ? 1 : -1,
    );
  }

  override async read(id: TaskId, cursor: number, maxBytes: number): Promise<TaskOutput | null> {
    this.#own.get(id)?.flush();
    // The state first: output that is written until it ends is then certain to be seen.
    const record = await this.get(id);
    if (record === null) return null;
    const folder = this.#files.folder(id);
    const ended = isFinalState(record.state);
    const kept = keptOutput(folder, this.#options.segmentBytes);
    const end = Math.max(kept.end, ended ? record.outputBytes : 0);
    if (cursor > end) throw cursorError(id, cursor, end);
    // Output that was removed whole leaves no file that could say where it ended.
    const start = kept.end < end ? end : kept.start;
    const at = Math.max(cursor, start);
    const bytes = readSegments(folder, this.#options.segmentBytes, at, Math.min(maxBytes, end - at));
    const slice = textSlice(bytes, at, ended && at + bytes.length >= end);
    return { ...slice, lost: slice.from - cursor, end, done: ended && slice.next >= end };
  }

  override async wait(id: TaskId, cursor: number, ms: number, signal: AbortSignal): Promise<void> {
    const until = performance.now() + ms;
    for (;;) {
      const record = await this.get(id);
      if (record === null || isFinalState(record.state) || signal.aborted) return;
      this.#own.get(id)?.flush();
      if (keptOutput(this.#files.folder(id), this.#options.segmentBytes).end > cursor) return;
      const left = until - performance.now();
      if (left <= 0) return;
      const own = this.#own.get(id);
      const pause = pauseOf(Math.min(left, own === undefined ? POLL_MS : left), signal);
      await Promise.race([pause.over, ...(own === undefined ? [] : [own.changed()])]);
      pause.stop();
    }
  }

  override async kill(id: TaskId, reason: string): Promise<TaskRecord | null> {
    const record = await this.get(id);
    if (record === null || isFinalState(record.state)) return record;
    const own = this.#own.get(id);
    if (own === undefined) {
      this.#files.requestKill(id, reason);
      return record;
    }
    if (this.#waiting.remove(id) !== null) await this.#drop(own, reason);
    else await own.kill(reason);
    return own.record;
  }

  override onChange(listener: (record: TaskRecord) => void): Disposer {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  override start(work: TaskWork): void {
    this.#work = work;
    this.#next();
  }

  override async close(graceMs = CLOSE_GRACE_MS): Promise<void> {
    this.#closed = true;
    if (this.#delay !== null) clearTimeout(this.#delay);
    for (const { record } of this.#waiting.all)
      await this.kill(record.id, 'its process ended before it began');
    if (graceMs > 0 && this.#running.size > 0) {
      const pause = pauseOf(graceMs, new AbortController().signal);
      await Promise.race([Promise.all(this.#running.values()), pause.over]);
      pause.stop();
    }
    await Promise.all([...this.#running.keys()].map((id) => this.kill(id, 'its process ended')));
    await Promise.all(this.#running.values());
    if (this.#killPoll !== null) clearInterval(this.#killPoll);
  }

  #next(): void {
    if (this.#work === null || this.#closed) return;
    while (this.#running.size < this.#options.concurrency) {
      const next = this.#waiting.take(this.#clock.now());
      if (next === null) return;
      if ('waitMs' in next) return this.#wakeIn(next.waitMs);
      const own = this.#own.get(next.record.id);
      if (own !== undefined) this.#begin(next.record.id, own, this.#work);
    }
  }

  #begin(id: TaskId, own: OwnTask, work: TaskWork): void {
    // Its own errors are in its record; one here means that the record could not be written, and the next reader sees it lost.
    const run = own
      .run(work)
      .catch(() => undefined)
      .then(() => {
        this.#running.delete(id);
        this.#own.delete(id);
        this.#next();
      });
    this.#running.set(id, run);
  }

  async #drop(own: OwnTask, reason: string): Promise<void> {
    const exit: TaskExit = { state: 'killed', exitCode: null, reason, result: '', truncated: false };
    await own.drop(exit);
    this.#own.delete(own.record.id);
  }

  #wakeIn(waitMs: number): void {
    if (this.#delay !== null) clearTimeout(this.#delay);
    // A clock that jumped back must not postpone a task for hours: it is looked at again at least every minute.
    this.#delay = setTimeout(() => this.#next(), Math.min(waitMs, 60_000)).unref();
  }

  #watchKills(): void {
    this.#killPoll ??= setInterval(() => {
      for (const id of this.#own.keys()) {
        const reason = this.#files.takeKillRequest(id);
        if (reason !== null) void this.kill(id, reason).catch(() => undefined);
      }
    }, POLL_MS).unref();
  }

  /** What a record of another process says, unless that process is gone. */
  async #asItIs(stored: StoredTask): Promise<TaskRecord> {
    const { record } = stored;
    const end = Math.max(
      record.outputBytes,
      keptOutput(this.#files.folder(record.id), this.#options.segmentBytes).end,
    );
    if (isFinalState(record.state) || mayBeAlive(stored.process)) return { ...record, outputBytes: end };
    return this.#markLost(record.id, end);
  }

  /** By one process only, whoever looks first. */
  async #markLost(id: TaskId, outputBytes: number): Promise<TaskRecord> {
    const attempt = await FileLock.take(`${this.#files.folder(id)}/lost.lock`, LOCK_PATIENCE_MS);
    try {
      const stored = this.#files.read(id);
      if (stored === null) throw new WrongStackError('task.gone', `task ${id} was removed meanwhile`);
      if (isFinalState(stored.record.state)) return stored.record;
      const reason = 'the process that ran it ended; how far it came is unknown';
      const exit: TaskExit = { state: 'lost', exitCode: null, reason, result: '', truncated: false };
      const at = isoNow(this.#clock);
      const record = { ...transitioned(stored.record, { state: 'lost', at, reason }, exit), outputBytes };
      if (attempt.taken) await this.#files.write({ ...stored, record });
      return record;
    } finally {
      if (attempt.taken) attempt.lock.release();
    }
  }

  async #sameKey(task: NewTask, record: TaskRecord): Promise<TaskRecord | null> {
    const { key } = task.options;
    if (key === undefined) return null;
    const { tenant, user } = record.owner;
    const holder = await this.#files.claimKey(JSON.stringify([tenant, user]), key, record.id);
    if (holder === record.id) return null;
    await this.#files.remove(record);
    return holderOfKey(holder, await this.get(holder), record);
  }

  #checkLimit({ job: { owner } }: NewTask): void {
    const { mostOfOwner, mostOfTenant } = this.#options;
    const ofTenant = [...this.#own.values()].filter(({ record }) => record.owner.tenant === owner.tenant);
    const ofOwner = ofTenant.filter(({ record }) => record.owner.user === owner.user);
    if (ofOwner.length >= mostOfOwner) throw tooManyTasks(mostOfOwner, 'owner');
    if (ofTenant.length >= mostOfTenant) throw tooManyTasks(mostOfTenant, 'tenant');
  }

  async #prune(): Promise<void> {
    if (this.#pruned) return;
    this.#pruned = true;
    try {
      await pruneTasks(this.#files, this.#retention, this.#clock.now());
    } catch {
      // Old tasks take room until the next time; the new one must not fail for that.
    }
  }

  #parts() {
    const { segmentBytes, mostOutputBytes } = this.#options;
    return {
      files: this.#files,
      clock: this.#clock,
      process: this.#process,
      segmentBytes,
      mostBytes: mostOutputBytes,
      onChange: (record: TaskRecord) => this.#announce(record),
    };
  }

  #announce(record: TaskRecord): void {
    for (const listener of this.#listeners) listener(record);
  }
}

interface Pause {
  readonly over: Promise<void>;
  stop(): void;
}

function pauseOf(ms: number, signal: AbortSignal): Pause {
  const controller = new AbortController();
  const over = sleep(ms, undefined, { signal: AbortSignal.any([signal, controller.signal]) }).catch(
    () => undefined,
  );
  return { over: over.then(() => undefined), stop: () => controller.abort() };
}
