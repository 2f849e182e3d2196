import {
  type Disposer,
  isFinalState,
  type NewTask,
  type SessionId,
  type TaskFilter,
  type TaskId,
  type TaskOutput,
  TaskQueue,
  type TaskRecord,
} from '@wrongstack/contracts';

/**
 * The background tasks of one run: the process's queue, but only what this run started is heard of, since others' tasks are none of its
 * business.
 */
export class RunTasks extends TaskQueue {
  readonly #listening: Disposer[] = [];

  constructor(
    private readonly queue: TaskQueue,
    private readonly session: SessionId,
  ) {
    super();
  }

  override add(task: NewTask): Promise<TaskRecord> {
    return this.queue.add(task);
  }

  override get(id: TaskId): Promise<TaskRecord | null> {
    return this.queue.get(id);
  }

  override list(filter: TaskFilter): Promise<readonly TaskRecord[]> {
    return this.queue.list(filter);
  }

  override read(id: TaskId, cursor: number, maxBytes: number): Promise<TaskOutput | null> {
    return this.queue.read(id, cursor, maxBytes);
  }

  override wait(id: TaskId, cursor: number, ms: number, signal: AbortSignal): Promise<void> {
    return this.queue.wait(id, cursor, ms, signal);
  }

  override kill(id: TaskId, reason: string): Promise<TaskRecord | null> {
    return this.queue.kill(id, reason);
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
