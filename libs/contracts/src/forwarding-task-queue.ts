import type { Disposer } from './disposer.js';
import type { TaskId } from './ids.js';
import type { TaskRecord } from './task.js';
import { type NewTask, type TaskFilter, type TaskOutput, TaskQueue, type TaskWork } from './task-queue.js';

/** Hands everything on to another queue. Whoever adds something to a queue extends this and says only what differs. */
export abstract class ForwardingTaskQueue extends TaskQueue {
  constructor(protected readonly queue: TaskQueue) {
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
    return this.queue.onChange(listener);
  }

  override start(work: TaskWork): void {
    this.queue.start(work);
  }

  override close(graceMs?: number): Promise<void> {
    return this.queue.close(graceMs);
  }
}
