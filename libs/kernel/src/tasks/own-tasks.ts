import { isFinalState, isTaskId } from '@wrongstack/contracts';
import type {
  OutputRequest,
  OwnTasks,
  TaskFilter,
  TaskId,
  TaskQueue,
  TaskReading,
  TaskRecord,
} from '@wrongstack/contracts';

/** Longest that one question may wait for output. */
export const MOST_WAIT_MS = 60_000;

/**
 * The tasks that somebody may see: those that the filter names, and no others. An id that is malformed, unknown or somebody
 * else's gets the same answer, so that nobody learns which tasks there are.
 */
export class OwnedTasks implements OwnTasks {
  constructor(
    private readonly queue: TaskQueue,
    private readonly owned: TaskFilter,
  ) {}

  async list(): Promise<readonly TaskRecord[]> {
    return this.queue.list(this.owned);
  }

  async get(id: string): Promise<TaskRecord | null> {
    if (!isTaskId(id)) return null;
    const record = await this.queue.get(id);
    return record !== null && this.#owns(record) ? record : null;
  }

  async output(id: string, request: OutputRequest, signal: AbortSignal): Promise<TaskReading | null> {
    if (!isTaskId(id) || (await this.get(id)) === null) return null;
    const first = await this.#read(id, request);
    if (first === null || first.output.text !== '' || first.output.done || request.waitMs <= 0) return first;
    await this.queue.wait(id, first.output.next, Math.min(request.waitMs, MOST_WAIT_MS), signal);
    return this.#read(id, request);
  }

  async kill(id: string, reason: string): Promise<TaskRecord | null> {
    const record = await this.get(id);
    if (record === null || isFinalState(record.state)) return record;
    return this.queue.kill(record.id, reason);
  }

  async #read(id: TaskId, { cursor, maxBytes }: OutputRequest): Promise<TaskReading | null> {
    const output = await this.queue.read(id, cursor, maxBytes);
    // After the output, so that a task said to be running never turns out to have said its last word before.
    const task = await this.queue.get(id);
    return output === null || task === null ? null : { task, output };
  }

  #owns({ owner }: TaskRecord): boolean {
    const { tenant, user, session } = this.owned;
    return (
      (tenant === undefined || owner.tenant === tenant) &&
      (user === undefined || owner.user === user) &&
      (session === undefined || owner.session === session)
    );
  }
}
