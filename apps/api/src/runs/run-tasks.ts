import {
  type Disposer,
  ForwardingTaskQueue,
  isFinalState,
  type SessionId,
  type TaskQueue,
  type TaskRecord,
} from '@wrongstack/contracts';

/**
 * The background tasks of one run: the process's queue, but only what this run started is heard of, since others' tasks are none of its
 * business.
 */
export class RunTasks extends ForwardingTaskQueue {
  readonly #listening: Disposer[] = [];

  constructor(
    queue: TaskQueue,
    private readonly session: SessionId,
  ) {
    super(queue);
  }

  override onChange(listener: (record: TaskRecord) => void): Disposer {
    const dispose = this.queue.onChange((record) => {
      if (record.owner.session === this.session) listener(record);
    });
    this.#listening.push(dispose);
    return dispose;
  }

  override start(): void {
    // The process's own queue was started with the process.
  }

  /** Leaves the queue, and what runs in it, to the others. */
  override async close(): Promise<void> {
    for (const dispose of this.#listening.splice(0)) dispose();
  }

  /** With the run ends what it had started. Rejects where the queue is away. */
  async endAll(): Promise<void> {
    for (const { id, state } of await this.queue.list({ session: this.session })) {
      if (!isFinalState(state)) await this.queue.kill(id, 'its run ended');
    }
  }
}
