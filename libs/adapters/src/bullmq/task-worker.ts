import { randomUUID } from 'node:crypto';
import type { Job, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { type Clock, isoNow, type Logger, messageOf } from '@wrongstack/contracts';
import type { TaskExit, TaskId, TaskJob, TaskWork } from '@wrongstack/contracts';
import { RunningJob } from './running-job.js';
import type { TaskNews } from './task-news.js';
import { PREFIX, QUEUE, TAG } from './task-scripts.js';
import type { OutputPiece, TaskStore } from './task-store.js';
import { every, type StopTimer } from './timers.js';
import { within } from './within.js';

/** What BullMQ keeps of a task: which it is. Its job, states, output and end are ours. */
export interface JobData {
  readonly id: TaskId;
  readonly attempt: number;
}

export interface TaskWorkerParts {
  readonly bull: typeof import('bullmq');
  readonly redis: Redis;
  /** A connection of its own, as one that listens can do nothing else. */
  readonly subscriber: Redis;
  readonly store: TaskStore;
  readonly news: TaskNews;
  readonly clock: Clock;
  readonly log: Logger;
  readonly patienceMs: number;
  readonly concurrency: number;
  readonly beatMs: number;
}

/** A task that has run here; `written` is when its end is. */
interface Taken {
  readonly written: Promise<void>;
}

/** Longer than the grace of a tool that ignores its signal. */
const CLOSE_MS = 8_000;

/**
 * Runs tasks in this process. BullMQ hands each to one worker, in order, at its time; that it runs once is not left to it: a
 * worker first claims the task by a script that succeeds once, so that a second delivery finds nothing to do.
 */
export class TaskWorker {
  readonly #running = new Map<TaskId, RunningJob>();
  /** Tasks that this process is about to run, runs, or is writing the end of. */
  readonly #takes = new Set<Promise<undefined>>();
  /** BullMQ's jobs that this process holds, with the token of each lock. */
  readonly #locks = new Map<Job<JobData>, string>();
  readonly #timers: readonly StopTimer[];
  readonly #worker: Worker<JobData>;
  #closing = false;

  constructor(
    private readonly parts: TaskWorkerParts,
    work: TaskWork,
  ) {
    const { bull, redis, subscriber, log, patienceMs, concurrency, beatMs } = parts;
    subscriber.on('message', (_channel, id: string) => this.#stop(id, 'killed'));
    subscriber.subscribe(`${PREFIX}kill`).catch((error: unknown) => {
      // The beat brings what is missed here.
      log.warn('kills are heard of late', { message: messageOf(error) });
    });
    this.#timers = [
      every(beatMs, log, () => this.#beat()),
      // Not BullMQ's own renewal: its timer outlives a close while Redis is away, and keeps the process alive.
      every(patienceMs / 3, log, () => this.#renew()),
    ];
    this.#worker = new bull.Worker<JobData>(QUEUE, (job, token = '') => this.#run(job, token, work), {
      connection: redis,
      prefix: TAG,
      concurrency,
      // How long BullMQ takes a job as held without hearing of it.
      lockDuration: patienceMs,
      stalledInterval: patienceMs,
      skipLockRenewal: true,
      // A task whose worker is gone is ours to judge, and never BullMQ's to start again.
      maxStalledCount: 0,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    });
    this.#worker.on('error', (error) => log.warn('task worker', { message: error.message }));
  }

  /** What waits stays queued for other workers; what runs gets its grace. */
  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    const { clock, store } = this.parts;
    const drained = this.#worker.close();
    drained.catch(() => undefined);
    if (graceMs > 0 && this.#running.size > 0) await within(drained, graceMs).catch(() => undefined);
    const at = isoNow(clock);
    for (const id of this.#running.keys()) {
      await within(store.kill(id, at, 'its worker ended'), 1_000).catch(() => undefined);
      this.#stop(id, 'its worker ended');
    }
    await within(Promise.all(this.#takes), CLOSE_MS).catch(() => undefined);
    // Its connections may wait for a Redis that was restarted; there is nothing left to wait for.
    await within(drained, 500).catch(() => this.#abandon());
    for (const stop of this.#timers) stop();
  }

  async #run(job: Job<JobData>, token: string, work: TaskWork): Promise<void> {
    this.#locks.set(job, token);
    const taking = this.#take(job, token, work);
    this.#track(taking.then((taken) => taken?.written));
    await taking.finally(() => this.#locks.delete(job));
  }

  /** Null: there was nothing to do. */
  async #take(delivered: Job<JobData>, token: string, work: TaskWork): Promise<Taken | null> {
    const { bull, clock, news, store } = this.parts;
    if (this.#closing) {
      // It came while this process stopped taking any: another worker's now.
      await delivered.moveToWait(token);
      throw new bull.WaitingError();
    }
    const at = isoNow(clock);
    const { id, attempt } = delivered.data;
    const claimed = await store.claim(id, at, attempt, randomUUID());
    if (claimed === null) return null;
    const { job, outputBytes } = claimed;
    const running = new RunningJob(job, outputBytes, store);
    this.#running.set(id, running);
    news.changed(job, 'running', at, null);
    const { exit, rest } = await running.run(work);
    // Not waited for here: that BullMQ's job has ended is then said in the same round trip.
    return { written: this.#finish(job, exit, rest) };
  }

  /** Redis may be away: how it ended is not forgotten for that. */
  async #finish(job: TaskJob, exit: TaskExit, rest: OutputPiece): Promise<void> {
    const { clock, log, news, store } = this.parts;
    const ended = isoNow(clock);
    try {
      const now = await store.finish(job.id, ended, exit, rest);
      if (now === exit.state) news.changed(job, exit.state, ended, exit);
    } catch (error) {
      log.error('how a task ended was not written', { task: job.id, message: messageOf(error) });
    } finally {
      this.#running.delete(job.id);
      news.forget(job.id);
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
    const { patienceMs } = this.parts;
    await Promise.all(Array.from(this.#locks, ([job, token]) => job.extendLock(token, patienceMs)));
  }

  async #beat(): Promise<void> {
    const ids = [...this.#running.keys()];
    if (ids.length === 0) return;
    const states = await this.parts.store.beat(ids);
    for (const [index, id] of ids.entries()) {
      const state = states[index];
      // Lost: others were told that it is, so that what it still does would be done behind their backs.
      if (state !== 'running') this.#stop(id, state === 'stopping' ? 'killed' : 'it was given up by others');
    }
  }

  /** Ends what a close that waits for Redis does not come to: the pause stops the search for stalled jobs. */
  #abandon(): void {
    this.#worker.pause(true).catch(() => undefined);
    this.#worker.disconnect().catch(() => undefined);
  }
}
