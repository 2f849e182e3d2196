import type { NewTask, TaskRecord } from '@wrongstack/contracts';

export interface WaitingTask {
  readonly task: NewTask;
  readonly record: TaskRecord;
  /** Milliseconds since the epoch; not before. */
  readonly notBefore: number;
  readonly order: number;
}

/** Tasks that have not begun: higher priority first, then first come, first served. */
export class WaitingTasks {
  #tasks: readonly WaitingTask[] = [];
  #order = 0;

  get all(): readonly WaitingTask[] {
    return this.#tasks;
  }

  add(task: NewTask, record: TaskRecord, now: number): void {
    const waiting = { task, record, notBefore: now + (task.options.delayMs ?? 0), order: this.#order };
    this.#order += 1;
    this.#tasks = [...this.#tasks, waiting].sort(
      (a, b) => (b.task.options.priority ?? 0) - (a.task.options.priority ?? 0) || a.order - b.order,
    );
  }

  /** The next one that is due, taken out; or how long until there is one. */
  take(now: number): WaitingTask | { readonly waitMs: number } | null {
    const due = this.#tasks.find(({ notBefore }) => notBefore <= now);
    if (due !== undefined) return this.remove(due.record.id) ?? null;
    const next = Math.min(...this.#tasks.map(({ notBefore }) => notBefore));
    return Number.isFinite(next) ? { waitMs: next - now } : null;
  }

  remove(id: string): WaitingTask | null {
    const found = this.#tasks.find(({ record }) => record.id === id) ?? null;
    if (found !== null) this.#tasks = this.#tasks.filter((one) => one !== found);
    return found;
  }
}
