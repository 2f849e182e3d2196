import type { TaskOutput } from './task-queue.js';
import type { TaskRecord } from './task.js';

/**
 * The tasks of one owner. Malformed, unknown and foreign ids get the same answer: null.
 */
export interface OwnTasks {
  list(): Promise<readonly TaskRecord[]>;
  get(id: string): Promise<TaskRecord | null>;
  /** Waits up to `waitMs` for something new. Throws `task.cursor` for a cursor beyond the end. */
  output(id: string, request: OutputRequest, signal: AbortSignal): Promise<TaskReading | null>;
  kill(id: string, reason: string): Promise<TaskRecord | null>;
}

export interface OutputRequest {
  readonly cursor: number;
  readonly maxBytes: number;
  readonly waitMs: number;
}

export interface TaskReading {
  readonly task: TaskRecord;
  readonly output: TaskOutput;
}
