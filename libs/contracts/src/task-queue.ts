import type { Approval, Decision } from './decision.js';
import type { Disposer } from './disposer.js';
import type { ActorFacts, SessionFacts } from './facts.js';
import type { CallId, RunId, SessionId, TaskId } from './ids.js';
import type { HookDemand } from './permission.js';
import type { TaskExit, TaskOwner, TaskRecord } from './task.js';

/** All that a worker needs to run a call, in its own process or another's. Plain JSON. */
export interface TaskJob {
  readonly id: TaskId;
  readonly owner: TaskOwner;
  readonly call: CallId;
  readonly run: RunId;
  readonly agent: string;
  readonly tool: string;
  /** A worker whose tool is another one than was decided about must not run it. */
  readonly definitionDigest: string;
  readonly input: unknown;
  readonly decision: Decision;
  readonly approval: Approval | null;
  readonly actor: ActorFacts;
  readonly session: SessionFacts;
  readonly hookDemands: readonly HookDemand[];
  readonly nesting: number;
  readonly cwd: string;
  readonly projectRoot: string;
  readonly scratchDir: string;
  /** The trace that it was handed over in, as headers of W3C Trace Context. */
  readonly trace?: Readonly<Record<string, string>>;
}

export interface NewTask {
  readonly job: TaskJob;
  readonly title: string;
  readonly inputDigest: string;
  /** The tool says that running it again does no second harm: only then may another attempt be made. */
  readonly idempotent: boolean;
  readonly options: TaskOptions;
  /**
   * In place of the queue's work: a call that already runs in this process and goes on as a task. Queues that run tasks
   * elsewhere refuse it (`task.cannot_adopt`).
   */
  readonly adopted?: TaskWork;
}

export interface TaskOptions {
  /** 0 (default) is first come, first served; higher goes first. 0..100. */
  readonly priority?: number;
  /** Not before so many milliseconds from now. */
  readonly delayMs?: number;
  /** The same key of the same owner names the same task, for ever as long as that is kept. */
  readonly key?: string;
}

/** Where a running task's output goes. */
export interface TaskSink {
  write(text: string): void;
  /**
   * For whoever can hold its source back: when there is room for more, or null where there is now. Comes in any case before
   * long: output waits for its task, never the other way round.
   */
  room?(): Promise<void> | null;
}

/** Runs one task. What it resolves to is how the task ended; `signal` aborts when it is killed. */
export type TaskWork = (job: TaskJob, sink: TaskSink, signal: AbortSignal) => Promise<TaskExit>;

export interface TaskOutput {
  readonly text: string;
  /** Where the text begins; more than what was asked for when older output is gone. */
  readonly from: number;
  /** Ask from here next. */
  readonly next: number;
  /** Bytes between the cursor asked for and `from`: they were written and are no longer kept. */
  readonly lost: number;
  /** All bytes so far. */
  readonly end: number;
  /** The task has ended and `next` is its end: there is nothing more to wait for. */
  readonly done: boolean;
}

export interface TaskFilter {
  readonly tenant?: string | null;
  readonly user?: string;
  readonly session?: SessionId;
}

/**
 * Where tasks wait, run and are remembered. Ids are checked for their form by the caller, and who may see a task is decided
 * above this port (`OwnedTasks`). Not in it: what a task does, and whether it may.
 * Codes: `task.queue_unavailable`, `task.limit`, `task.key_conflict`, `task.cursor`.
 */
export abstract class TaskQueue {
  /** Resolves when the task is durable. With a key that is known, the task that has it. */
  abstract add(task: NewTask): Promise<TaskRecord>;
  abstract get(id: TaskId): Promise<TaskRecord | null>;
  /** Newest first. */
  abstract list(filter: TaskFilter): Promise<readonly TaskRecord[]>;
  /** At most `maxBytes` from a cursor, ending at a character's boundary. Null = no such task. */
  abstract read(id: TaskId, cursor: number, maxBytes: number): Promise<TaskOutput | null>;
  /** Resolves when there is output beyond the cursor or the task has ended, after `ms` at the latest. */
  abstract wait(id: TaskId, cursor: number, ms: number, signal: AbortSignal): Promise<void>;
  /** Asks for the end of it; a task that has ended stays as it is. Null = no such task. */
  abstract kill(id: TaskId, reason: string): Promise<TaskRecord | null>;
  /** Called for transitions that this process makes. */
  abstract onChange(listener: (record: TaskRecord) => void): Disposer;
  /** Begins to take tasks in this process. */
  abstract start(work: TaskWork): void;
  /** Takes nothing more, gives what runs `graceMs` to end, then kills it. */
  abstract close(graceMs?: number): Promise<void>;
}
