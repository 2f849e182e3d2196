import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import {
  isFinalState,
  isoNow,
  messageOf,
  systemClock,
  TaskQueue,
  transitioned,
  WrongStackError,
} from '@wrongstack/contracts';
import type {
  Clock,
  Disposer,
  Logger,
  NewTask,
  TaskExit,
  TaskFilter,
  TaskId,
  TaskJob,
  TaskOutput,
  TaskRecord,
  TaskState,
  TaskWork,
} from '@wrongstack/contracts';
import { cursorError, newRecord } from '../tasks-local/local-task-queue.js';
import { joinWrites } from './join-writes.js';
import { RunningJob } from './running-job.js';
import { PREFIX, QUEUE, TAG } from './task-scripts.js';
import { type OutputPiece, type StoreLimits, TaskStore } from './task-store.js';
import { within } from './within.js';

export interface BullTaskQueueOptions {
  readonly url: string;
  readonly log: Logger;
  readonly clock?: Clock;
  /** Tasks that run at once in this process. */
  readonly concurrency?: number;
  /** How long `add` may take, a Redis that is away included. */
  readonly addMs?: number;
  /** Between signs of life. */
  readonly beatMs?: number;
  readonly limits?: Partial<StoreLimits>;
}

/** What BullMQ keeps of a task: which it is. Its job, states, output and end are ours. */
interface JobData {
  readonly id: TaskId;
  readonly attempt: number;
}

/** A task that has run here; `written` is when its end is. */
interface Taken {
  readonly written: Promise<void>;
}

const ADD_MS = 5_000;
const POLL_MS = 150;
const MOST_PRIORITY = 100;
/** Longer than the grace of a tool that ignores its signal. */
const CLOSE_MS = 8_000;

const LIMITS: StoreLimits = {
  mostOfOwner: 1_000,
  mostOfTenant: 20_000,
  segmentBytes: 256 * 1024,
  mostSegments: 128,
  keepMs: 7 * 24 * 3_600_000,
  patienceMs: 30_000,
  attempts: 3,
};

/**
 * Tasks on Redis, for many processes. BullMQ hands each to one worker, in order, at its time; that it runs once is not left to
 * it: a worker first claims the task by a script that succeeds once, so that a second delivery finds nothing to do.
 */
export class BullTaskQueue extends TaskQueue {
  readonly #store: TaskStore;
  readonly #patienceMs: number;
  readonly #addMs: number;
  readonly #clock: Clock;
  readonly #running = new Map<TaskId, RunningJob>();
  readonly #records = new Map<TaskId, TaskRecord>();
  readonly #listeners = new Set<(record: TaskRecord) => void>();
  /** Tasks that this process is about to run, runs, or is writing the end of. */
  readonly #takes = new Set<Promise<undefined>>();
  /** BullMQ's jobs that this process holds, with the token of each lock. */
  readonly #locks = new Map<Job<JobData>, string>();
  readonly #timers: NodeJS.Timeout[] = [];
  #worker: Worker<JobData> | null = null;
  #closing: Promise<void> | null = null;

  private constructor(
    private readonly options: BullTaskQueueOptions,
    private readonly redis: Redis,
    private readonly subscriber: Redis,
    private readonly queue: Queue<JobData>,
    private readonly bull: typeof import('bullmq'),
  ) {
    super();
    this.#clock = options.clock ?? systemClock;
    const limits = { ...LIMITS, ...options.limits };
    this.#store = new TaskStore(redis, limits);
    this.#patienceMs = limits.patienceMs;
    this.#addMs = options.addMs ?? ADD_MS;
    // By all, also those that run no tasks: the last worker may be the one that died. Far more often than half the patience,
    // after which a sweep takes Redis to have been away.
    this.#every(Math.min(2_000, limits.patienceMs / 6), () => this.#sweep());
  }

  /** Connects. Throws `task.queue_unavailable` when Redis cannot be reached, `task.redis_eviction` when it may drop tasks. */
  static async open(options: BullTaskQueueOptions): Promise<BullTaskQueue> {
    // Heavy, and needed only here.
    const [{ Redis }, bull] = await Promise.all([import('ioredis'), import('bullmq')]);
    const redis = new Redis(options.url, { lazyConnect: true, maxRetriesPerRequest: null });
    joinWrites(redis);
    const onError = (error: unknown): void => options.log.warn('redis', { message: messageOf(error) });
    redis.on('error', onError);
    try {
      await within(redis.connect(), options.addMs ?? ADD_MS);
      await requireNoEviction(redis);
    } catch (error) {
      redis.disconnect();
      throw error instanceof WrongStackError ? error : unavailable(options.url, messageOf(error), error);
    }
    const subscriber = redis.duplicate({ lazyConnect: false });
    subscriber.on('error', onError);
    const queue = new bull.Queue<JobData>(QUEUE, { connection: redis, prefix: TAG });
    queue.on('error', onError);
    const made = new BullTaskQueue(options, redis, subscriber, queue, bull);
    await made.#store.learnTime();
    return made;
  }

  override async add(task: NewTask): Promise<TaskRecord> {
    if (this.#closing !== null) throw unavailable(this.options.url, 'this process is ending');
    if (task.adopted !== undefined) {
      throw new WrongStackError(
        'task.cannot_adopt',
        'tasks run in other processes here: this call cannot become one',
      );
    }
    const record = newRecord(task, isoNow(this.#clock));
    const adding = this.#add(task, record);
    try {
      return await within(adding, this.#addMs);
    } catch (error) {
      if (error instanceof WrongStackError && error.code !== 'task.late') throw error;
      // It was said not to be queued, so it must not run when Redis comes back. Redis refuses what comes late; this is for what
      // came in time and whose answer did not.
      adding.then(({ id }) => this.kill(id, 'it was queued too late')).catch(() => undefined);
      throw unavailable(this.options.url, messageOf(error), error);
    }
  }

  override get(id: TaskId): Promise<TaskRecord | null> {
    return this.#store.get(id);
  }

  override list(filter: TaskFilter): Promise<readonly TaskRecord[]> {
    return this.#store.list(filter);
  }

  override async read(id: TaskId, cursor: number, maxBytes: number): Promise<TaskOutput | null> {
    const output = await this.#store.read(id, cursor, maxBytes);
    if (output !== 'beyond') return output;
    throw cursorError(id, cursor, (await this.get(id))?.outputBytes ?? 0);
  }

  override async wait(id: TaskId, cursor: number, ms: number, signal: AbortSignal): Promise<void> {
    const until = performance.now() + ms;
    while (!signal.aborted) {
      const record = await this.get(id);
      if (record === null || isFinalState(record.state) || record.outputBytes > cursor) return;
      const left = until - performance.now();
      if (left <= 0) return;
      await sleep(Math.min(left, POLL_MS), undefined, { signal }).catch(() => undefined);
    }
  }

  override async kill(id: TaskId, reason: string): Promise<TaskRecord | null> {
    const before = await this.#store.kill(id, isoNow(this.#clock), reason);
    if (before === null) return null;
    if (before === 'queued') await this.queue.remove(id).catch(() => undefined);
    return this.get(id);
  }

  override onChange(listener: (record: TaskRecord) => void): Disposer {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  override start(work: TaskWork): void {
    if (this.#worker !== null || this.#closing !== null) return;
    const { log, concurrency = 8, beatMs = 1_000 } = this.options;
    this.subscriber.on('message', (_channel, id: string) => this.#stop(id, 'killed'));
    this.subscriber.subscribe(`${PREFIX}kill`).catch((error: unknown) => {
      // The beat brings what is missed here.
      log.warn('kills are heard of late', { message: messageOf(error) });
    });
    this.#every(beatMs, () => this.#beat());
    // Not BullMQ's own renewal: its timer outlives a close while Redis is away, and keeps the process alive.
    this.#every(this.#patienceMs / 3, () => this.#renew());
    const run = async (job: Job<JobData>, token = ''): Promise<void> => {
      this.#locks.set(job, token);
      const taking = this.#take(job, token, work);
      this.#track(taking.then((taken) => taken?.written));
      await taking.finally(() => this.#locks.delete(job));
    };
    this.#worker = new this.bull.Worker<JobData>(QUEUE, run, {
      connection: this.redis,
      prefix: TAG,
      concurrency,
      // How long BullMQ takes a job as held without hearing of it.
      lockDuration: this.#patienceMs,
      stalledInterval: this.#patienceMs,
      skipLockRenewal: true,
      // A task whose worker is gone is ours to judge, and never BullMQ's to start again.
      maxStalledCount: 0,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    });
    this.#worker.on('error', (error) => log.warn('task worker', { message: error.message }));
  }

  override close(graceMs = 0): Promise<void> {
    this.#closing ??= this.#close(graceMs);
    return this.#closing;
  }

  async #add(task: NewTask, record: TaskRecord): Promise<TaskRecord> {
    const { id } = task.job;
    // Written one after the other on one connection, and so one round trip; a job without its task is nothing to a worker.
    const [answer] = await Promise.all([
      this.#store.add(task, record, this.#addMs),
      this.#enqueue({ id, attempt: 1 }, task.options),
    ]);
    if (answer.kind === 'added') {
      this.#announce(record);
      return record;
    }
    await this.queue.remove(id).catch(() => undefined);
    if (answer.kind === 'late') throw unavailable(this.options.url, 'it was away when the task came');
    if (answer.kind === 'limit') {
      throw new WrongStackError(
        'task.limit',
        `there are ${answer.most} tasks that have not ended, and more are not taken; wait for one or kill one`,
      );
    }
    const known = await this.get(answer.id);
    if (known === null)
      throw new WrongStackError('task.gone', `task ${answer.id} was removed meanwhile; try again`);
    if (known.tool === record.tool && known.inputDigest === record.inputDigest) return known;
    throw new WrongStackError(
      'task.key_conflict',
      `the key of task ${known.id} was used with another input; take a new key`,
    );
  }

  async #enqueue(data: JobData, { priority = 0, delayMs = 0 }: NewTask['options']): Promise<void> {
    const { id, attempt } = data;
    await this.queue.add(QUEUE, data, {
      jobId: attempt === 1 ? id : `${id}-${attempt}`,
      attempts: 1,
      // In BullMQ 1 is the highest and 0 stands before all.
      priority: MOST_PRIORITY + 1 - Math.min(MOST_PRIORITY, Math.max(0, priority)),
      ...(delayMs > 0 ? { delay: delayMs } : {}),
    });
  }

  /** Null: there was nothing to do. */
  async #take(delivered: Job<JobData>, token: string, work: TaskWork): Promise<Taken | null> {
    if (this.#closing !== null) {
      // It came while this process stopped taking any: another worker's now.
      await delivered.moveToWait(token);
      throw new this.bull.WaitingError();
    }
    const at = isoNow(this.#clock);
    const { id, attempt } = delivered.data;
    const claimed = await this.#store.claim(id, at, attempt, randomUUID());
    if (claimed === null) return null;
    const { job, outputBytes } = claimed;
    const running = new RunningJob(job, outputBytes, this.#store);
    this.#running.set(id, running);
    this.#changed(job, 'running', at, null);
    const { exit, rest } = await running.run(work);
    // Not waited for here: that BullMQ's job has ended is then said in the same round trip.
    return { written: this.#finish(job, exit, rest) };
  }

  /** Redis may be away: how it ended is not forgotten for that. */
  async #finish(job: TaskJob, exit: TaskExit, rest: OutputPiece): Promise<void> {
    const ended = isoNow(this.#clock);
    try {
      const now = await this.#store.finish(job.id, ended, exit, rest);
      if (now === exit.state) this.#changed(job, exit.state, ended, exit);
    } catch (error) {
      this.options.log.error('how a task ended was not written', { task: job.id, message: messageOf(error) });
    } finally {
      this.#running.delete(job.id);
      this.#records.delete(job.id);
    }
  }

  #track(take: Promise<unknown>): void {
    const tracked = take.then(
      () => undefined,
      () => undefined,
    );
    this.#takes.add(tracked);
    void tracked.finally(() => this.#takes.delete(tracked));
  }

  #stop(id: string, reason: string): void {
    for (const [known, running] of this.#running) if (known === id) running.stop(reason);
  }

  async #renew(): Promise<void> {
    await Promise.all(Array.from(this.#locks, ([job, token]) => job.extendLock(token, this.#patienceMs)));
  }

  async #beat(): Promise<void> {
    const ids = [...this.#running.keys()];
    if (ids.length === 0) return;
    const states = await this.#store.beat(ids);
    for (const [index, id] of ids.entries()) {
      const state = states[index];
      // Lost: others were told that it is, so that what it still does would be done behind their backs.
      if (state !== 'running') this.#stop(id, state === 'stopping' ? 'killed' : 'it was given up by others');
    }
  }

  async #sweep(): Promise<void> {
    for (const { id, attempt, runs } of await this.#store.sweep(isoNow(this.#clock))) {
      await this.#enqueue({ id, attempt }, { delayMs: runs === 0 ? 0 : 1_000 * 2 ** (runs - 1) });
    }
  }

  #every(ms: number, work: () => Promise<void>): void {
    let busy = false;
    const timer = setInterval(() => {
      if (busy) return;
      busy = true;
      work()
        .catch((error: unknown) => this.options.log.warn('redis', { message: messageOf(error) }))
        .finally(() => (busy = false));
    }, ms);
    this.#timers.push(timer.unref());
  }

  async #close(graceMs: number): Promise<void> {
    // What waits stays queued for other workers; what runs gets its grace.
    const drained = this.#worker?.close() ?? Promise.resolve();
    drained.catch(() => undefined);
    if (graceMs > 0 && this.#running.size > 0) await within(drained, graceMs).catch(() => undefined);
    const at = isoNow(this.#clock);
    for (const id of this.#running.keys()) {
      await within(this.#store.kill(id, at, 'its worker ended'), 1_000).catch(() => undefined);
      this.#stop(id, 'its worker ended');
    }
    await within(Promise.all(this.#takes), CLOSE_MS).catch(() => undefined);
    // Its connections may wait for a Redis that was restarted; there is nothing left to wait for.
    await within(drained, 500).catch(() => this.#abandon());
    for (const timer of this.#timers) clearInterval(timer);
    await within(this.queue.close(), 1_000).catch(() => undefined);
    this.subscriber.disconnect();
    this.redis.disconnect();
  }

  /** Ends what a close that waits for Redis does not come to: the pause stops the search for stalled jobs. */
  #abandon(): void {
    this.#worker?.pause(true).catch(() => undefined);
    this.#worker?.disconnect().catch(() => undefined);
  }

  #changed(job: TaskJob, state: TaskState, at: string, exit: TaskExit | null): void {
    const known = this.#records.get(job.id) ?? { ...newRecord(fromJob(job), at) };
    const path: readonly TaskState[] =
      state === 'killed' && known.state === 'running' ? ['stopping', state] : [state];
    let record = known;
    for (const step of path) {
      record = transitioned(
        record,
        { state: step, at, reason: exit?.reason ?? null },
        step === state ? exit : null,
      );
      this.#announce(record);
    }
    this.#records.set(job.id, record);
  }

  #announce(record: TaskRecord): void {
    for (const listener of this.#listeners) listener(record);
  }
}

function fromJob(job: TaskJob): NewTask {
  return { job, title: job.tool, inputDigest: '', idempotent: false, options: {} };
}

async function requireNoEviction(redis: Redis): Promise<void> {
  const answer = (await redis.config('GET', 'maxmemory-policy')) as unknown as readonly string[];
  const policy = answer[1] ?? 'unknown';
  if (policy === 'noeviction') return;
  throw new WrongStackError(
    'task.redis_eviction',
    `Redis may drop tasks when its memory is full (maxmemory-policy is ${policy}); set it to noeviction`,
  );
}

function unavailable(url: string, why: string, cause?: unknown): WrongStackError {
  const { host } = new URL(url);
  return new WrongStackError('task.queue_unavailable', `Redis at ${host} takes no tasks: ${why}`, { cause });
}
