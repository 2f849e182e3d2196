import { setTimeout as sleep } from 'node:timers/promises';
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import {
  isFinalState,
  isoNow,
  messageOf,
  systemClock,
  TaskQueue,
  WrongStackError,
} from '@wrongstack/contracts';
import type {
  Clock,
  Disposer,
  Logger,
  NewTask,
  TaskFilter,
  TaskId,
  TaskOutput,
  TaskRecord,
  TaskWork,
} from '@wrongstack/contracts';
import { newRecord } from '../tasks/new-record.js';
import { cursorError, holderOfKey, tooManyTasks } from '../tasks/task-answers.js';
import { connectRedis, unavailable } from './connect-redis.js';
import { QUEUE, TAG } from './task-scripts.js';
import { TaskNews } from './task-news.js';
import { type StoreLimits, TaskStore } from './task-store.js';
import { type JobData, TaskWorker } from './task-worker.js';
import { every, type StopTimer } from './timers.js';
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

const ADD_MS = 5_000;
const POLL_MS = 150;
const MOST_PRIORITY = 100;

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
 * Tasks on Redis, for many processes. A task is ours, with its states and its output; BullMQ's job beside it says when and to
 * which worker it is handed.
 */
export class BullTaskQueue extends TaskQueue {
  readonly #store: TaskStore;
  readonly #patienceMs: number;
  readonly #addMs: number;
  readonly #clock: Clock;
  readonly #news = new TaskNews();
  readonly #stopSweeping: StopTimer;
  #worker: TaskWorker | null = null;
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
    const sweepMs = Math.min(2_000, limits.patienceMs / 6);
    this.#stopSweeping = every(sweepMs, options.log, () => this.#sweep());
  }

  /** Connects. Throws `task.queue_unavailable` when Redis cannot be reached, `task.redis_eviction` when it may drop tasks. */
  static async open(options: BullTaskQueueOptions): Promise<BullTaskQueue> {
    const { log, url, addMs = ADD_MS } = options;
    const [redis, bull] = await Promise.all([connectRedis(url, addMs, log), import('bullmq')]);
    const onError = (error: unknown): void => log.warn('redis', { message: messageOf(error) });
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
    return this.#news.listen(listener);
  }

  override start(work: TaskWork): void {
    if (this.#worker !== null || this.#closing !== null) return;
    const { log, concurrency = 8, beatMs = 1_000 } = this.options;
    const { bull, redis, subscriber } = this;
    this.#worker = new TaskWorker(
      {
        ...{ bull, redis, subscriber, log, concurrency, beatMs },
        store: this.#store,
        news: this.#news,
        clock: this.#clock,
        patienceMs: this.#patienceMs,
      },
      work,
    );
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
      this.#news.tell(record);
      return record;
    }
    await this.queue.remove(id).catch(() => undefined);
    if (answer.kind === 'late') throw unavailable(this.options.url, 'it was away when the task came');
    if (answer.kind === 'limit') throw tooManyTasks(answer.most, answer.whose);
    return holderOfKey(answer.id, await this.get(answer.id), record);
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

  async #sweep(): Promise<void> {
    for (const { id, attempt, runs } of await this.#store.sweep(isoNow(this.#clock))) {
      await this.#enqueue({ id, attempt }, { delayMs: runs === 0 ? 0 : 1_000 * 2 ** (runs - 1) });
    }
  }

  async #close(graceMs: number): Promise<void> {
    await this.#worker?.close(graceMs);
    this.#stopSweeping();
    await within(this.queue.close(), 1_000).catch(() => undefined);
    this.subscriber.disconnect();
    this.redis.disconnect();
  }
}
