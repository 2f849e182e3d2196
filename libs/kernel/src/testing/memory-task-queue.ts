import { isFinalState, TaskQueue, transitioned } from '@wrongstack/contracts';
import type {
  Disposer,
  NewTask,
  TaskExit,
  TaskFilter,
  TaskId,
  TaskOutput,
  TaskRecord,
  TaskState,
  TaskWork,
} from '@wrongstack/contracts';

const AT = '2026-01-01T00:00:00.000Z';

/** The port in memory, for specs of this library. Tasks begin when `runAll` is called. */
export class MemoryTaskQueue extends TaskQueue {
  readonly added: NewTask[] = [];
  readonly output = new Map<TaskId, string>();
  failure: Error | null = null;
  readonly #records = new Map<TaskId, TaskRecord>();
  readonly #waiting: NewTask[] = [];
  readonly #controllers = new Map<TaskId, AbortController>();
  readonly #listeners = new Set<(record: TaskRecord) => void>();
  #work: TaskWork | null = null;

  override async add(task: NewTask): Promise<TaskRecord> {
    if (this.failure !== null) throw this.failure;
    // What a queue elsewhere would get: nothing but JSON survives the way.
    const job = JSON.parse(JSON.stringify(task.job)) as NewTask['job'];
    const { id, owner, call, tool } = job;
    const { title, inputDigest } = task;
    const record: TaskRecord = {
      id,
      owner,
      call,
      tool,
      title,
      inputDigest,
      decision: job.decision.id,
      state: 'queued',
      transitions: [{ state: 'queued', at: AT, reason: null }],
      createdAt: AT,
      startedAt: null,
      endedAt: null,
      exit: null,
      outputBytes: 0,
    };
    this.added.push({ ...task, job });
    this.#waiting.push({ ...task, job });
    this.#records.set(id, record);
    this.#announce(record);
    if (task.adopted !== undefined) void this.runAll();
    return record;
  }

  /** Run everything that waits; resolves when it has ended. */
  async runAll(): Promise<void> {
    await Promise.all(this.#waiting.splice(0).map((task) => this.#run(task)));
  }

  override async get(id: TaskId): Promise<TaskRecord | null> {
    return this.#records.get(id) ?? null;
  }

  override async list(filter: TaskFilter): Promise<readonly TaskRecord[]> {
    return [...this.#records.values()]
      .filter(({ owner }) => filter.session === undefined || owner.session === filter.session)
      .filter(({ owner }) => filter.user === undefined || owner.user === filter.user)
      .reverse();
  }

  override async read(id: TaskId, cursor: number, maxBytes: number): Promise<TaskOutput | null> {
    const record = this.#records.get(id);
    if (record === undefined) return null;
    const all = this.output.get(id) ?? '';
    const text = all.slice(cursor, cursor + maxBytes);
    const next = cursor + text.length;
    const done = isFinalState(record.state) && next >= all.length;
    return { text, from: cursor, next, lost: 0, end: all.length, done };
  }

  override async wait(): Promise<void> {
    await Promise.resolve();
  }

  override async kill(id: TaskId, reason: string): Promise<TaskRecord | null> {
    const record = this.#records.get(id);
    if (record === undefined || isFinalState(record.state)) return record ?? null;
    const stopping = this.#become(id, 'stopping', reason, null);
    this.#controllers.get(id)?.abort();
    return stopping;
  }

  override onChange(listener: (record: TaskRecord) => void): Disposer {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  override start(work: TaskWork): void {
    this.#work = work;
  }

  override async close(): Promise<void> {
    for (const controller of this.#controllers.values()) controller.abort();
    await Promise.resolve();
  }

  async #run({ job, adopted }: NewTask): Promise<void> {
    const work = adopted ?? this.#work;
    if (work === null) return;
    const controller = new AbortController();
    this.#controllers.set(job.id, controller);
    this.#become(job.id, 'running', null, null);
    const write = (text: string): void => {
      this.output.set(job.id, (this.output.get(job.id) ?? '') + text);
    };
    const exit = await work(job, { write }, controller.signal);
    this.#become(job.id, exit.state, exit.reason, exit);
  }

  #become(id: TaskId, state: TaskState, reason: string | null, exit: TaskExit | null): TaskRecord {
    const known = this.#records.get(id);
    if (known === undefined) throw new Error(`no task ${id}`);
    const next = transitioned(known, { state, at: AT, reason }, exit);
    const record = { ...next, outputBytes: this.output.get(id)?.length ?? 0 };
    this.#records.set(id, record);
    this.#announce(record);
    return record;
  }

  #announce(record: TaskRecord): void {
    for (const listener of this.#listeners) listener(record);
  }
}
