import type { QueueBoard } from '@wrongstack/adapters/bullmq';
import type { Logger, SecretScrubber } from '@wrongstack/contracts';
import { ApiProblem } from '../errors/api-problem.js';

/** Where the board is served: below `/v1`, which is as far as the cookie of a browser's session goes over plain http. */
export const QUEUES_PATH = '/v1/queues';

export interface QueueView {
  /** Throws 404 `queues.none` where nothing is queued on Redis, `task.queue_unavailable` while it is away. */
  board(): Promise<QueueBoard>;
  close(): Promise<void>;
}

/** Tasks and runs of one process are its own business: nothing hands them over. */
export class NoQueues implements QueueView {
  async board(): Promise<QueueBoard> {
    throw new ApiProblem(
      404,
      'queues.none',
      'no queue on Redis is in use here: set REDIS_URL, or see the tasks under /v1/tasks',
    );
  }

  async close(): Promise<void> {}
}

/** Connected when somebody looks for the first time. */
export class RedisQueues implements QueueView {
  #board: Promise<QueueBoard> | null = null;

  constructor(
    private readonly url: string,
    private readonly log: Logger,
    private readonly scrubber: SecretScrubber,
  ) {}

  board(): Promise<QueueBoard> {
    this.#board ??= this.#open().catch((error: unknown) => {
      // The next one to look tries again.
      this.#board = null;
      throw error;
    });
    return this.#board;
  }

  async close(): Promise<void> {
    const board = await this.#board?.catch(() => null);
    await board?.close();
  }

  async #open(): Promise<QueueBoard> {
    const { QueueBoard } = await import('@wrongstack/adapters/bullmq');
    const { url, log, scrubber } = this;
    return QueueBoard.open({ url, log, scrubber, basePath: QUEUES_PATH });
  }
}
