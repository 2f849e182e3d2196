import type { Job, Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { type Logger, messageOf, WrongStackError } from '@wrongstack/contracts';
import { RunQueue, type RunOffer, type RunWork } from '@wrongstack/contracts/control';
import { connectRedis } from './connect-redis.js';
import { TAG } from './task-scripts.js';
import { within } from './within.js';

export interface BullRunQueueOptions {
  readonly url: string;
  readonly log: Logger;
  /** How long an offer may take, a Redis that is away included. */
  readonly offerMs?: number;
  /** How long BullMQ takes an offer as held without hearing of it. */
  readonly patienceMs?: number;
}

/** The queue's name at BullMQ. */
export const RUN_QUEUE = 'runs';
const OFFER_MS = 5_000;
const PATIENCE_MS = 30_000;

/** Offers over Redis. A worker holds an offer for as long as it works on the run, so that it takes only as many as it can. */
export class BullRunQueue extends RunQueue {
  override readonly driver = 'redis';
  readonly #held = new Map<Job<RunOffer>, string>();
  readonly #offerMs: number;
  readonly #patienceMs: number;
  #worker: Worker<RunOffer> | null = null;
  #renewals: NodeJS.Timeout | null = null;
  #draining: Promise<void> | null = null;

  private constructor(
    private readonly options: BullRunQueueOptions,
    private readonly redis: Redis,
    private readonly queue: Queue<RunOffer>,
    private readonly bull: typeof import('bullmq'),
  ) {
    super();
    this.#offerMs = options.offerMs ?? OFFER_MS;
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS;
  }

  /** Connects. Throws `task.queue_unavailable`, and `task.redis_eviction` where Redis may drop what it holds. */
  static async open(options: BullRunQueueOptions): Promise<BullRunQueue> {
    const { url, log, offerMs = OFFER_MS } = options;
    const [bull, redis] = await Promise.all([import('bullmq'), connectRedis(url, offerMs, log)]);
    const queue = new bull.Queue<RunOffer>(RUN_QUEUE, { connection: redis, prefix: TAG });
    queue.on('error', (error) => log.warn('redis', { message: error.message }));
    return new BullRunQueue(options, redis, queue, bull);
  }

  override async offer(offer: RunOffer): Promise<void> {
    const jobId = `${offer.run}-${offer.attempt}`;
    try {
      await within(this.queue.add(RUN_QUEUE, offer, { jobId, attempts: 1 }), this.#offerMs);
    } catch (error) {
      throw unavailable(this.options.url, messageOf(error), error);
    }
  }

  override take(work: RunWork, atOnce: number): void {
    if (this.#worker !== null || this.#draining !== null) return;
    const hold = async (job: Job<RunOffer>, token = ''): Promise<void> => {
      if (this.#draining !== null) {
        // It came while this process stopped taking any: another worker's now.
        await job.moveToWait(token);
        throw new this.bull.WaitingError();
      }
      this.#held.set(job, token);
      await work(job.data).finally(() => this.#held.delete(job));
    };
    // Not BullMQ's own renewal: its timer outlives a close while Redis is away, and keeps the process alive.
    this.#renewals = setInterval(() => void this.#renew(), this.#patienceMs / 3).unref();
    this.#worker = new this.bull.Worker<RunOffer>(RUN_QUEUE, hold, {
      connection: this.redis,
      prefix: TAG,
      concurrency: atOnce,
      lockDuration: this.#patienceMs,
      stalledInterval: this.#patienceMs,
      skipLockRenewal: true,
      // Whether a run whose worker is gone goes on stands in the store; nothing is started again from here.
      maxStalledCount: 0,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    });
    this.#worker.on('error', (error) => this.options.log.warn('run worker', { message: error.message }));
  }

  override async pause(): Promise<void> {
    this.#draining ??= this.#worker?.close() ?? Promise.resolve();
    this.#draining.catch(() => undefined);
  }

  override async close(): Promise<void> {
    await this.pause();
    // Its connections may wait for a Redis that was restarted; there is nothing left to wait for.
    await within(this.#draining ?? Promise.resolve(), 1_000).catch(() => {
      this.#worker?.pause(true).catch(() => undefined);
      this.#worker?.disconnect().catch(() => undefined);
    });
    if (this.#renewals !== null) clearInterval(this.#renewals);
    await within(this.queue.close(), 1_000).catch(() => undefined);
    this.redis.disconnect();
  }

  async #renew(): Promise<void> {
    const renewals = Array.from(this.#held, ([job, token]) => job.extendLock(token, this.#patienceMs));
    for (const renewal of await Promise.allSettled(renewals)) {
      if (renewal.status === 'rejected')
        this.options.log.warn('redis', { message: messageOf(renewal.reason) });
    }
  }
}

function unavailable(url: string, why: string, cause?: unknown): WrongStackError {
  const { host } = new URL(url);
  return new WrongStackError('run.queue_unavailable', `Redis at ${host} takes no runs: ${why}`, { cause });
}
