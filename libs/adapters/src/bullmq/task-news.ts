import { transitioned } from '@wrongstack/contracts';
import type {
  Disposer,
  NewTask,
  TaskExit,
  TaskId,
  TaskJob,
  TaskRecord,
  TaskState,
} from '@wrongstack/contracts';
import { newRecord } from '../tasks/new-record.js';

/** Tells this process what becomes of the tasks that it queues and runs, one transition at a time. */
export class TaskNews {
  readonly #records = new Map<TaskId, TaskRecord>();
  readonly #listeners = new Set<(record: TaskRecord) => void>();

  listen(listener: (record: TaskRecord) => void): Disposer {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(job: TaskJob, state: TaskState, at: string, exit: TaskExit | null): void {
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
      this.tell(record);
    }
    this.#records.set(job.id, record);
  }

  tell(record: TaskRecord): void {
    for (const listener of this.#listeners) listener(record);
  }

  /** Of a task that has ended here. */
  forget(id: TaskId): void {
    this.#records.delete(id);
  }
}

function fromJob(job: TaskJob): NewTask {
  return { job, title: job.tool, inputDigest: '', idempotent: false, options: {} };
}
