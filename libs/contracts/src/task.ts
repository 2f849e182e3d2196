import { WrongStackError } from './errors.js';
import { newId } from './ids.js';
import type { CallId, DecisionId, RandomBytes, SessionId, TaskId } from './ids.js';

/** `lost` = the process that ran it is gone, so how far it came is unknown. */
export const TASK_STATES = [
  'queued',
  'running',
  'stopping',
  'completed',
  'failed',
  'killed',
  'lost',
] as const;
export type TaskState = (typeof TASK_STATES)[number];
export type FinalTaskState = 'completed' | 'failed' | 'killed' | 'lost';

// Back to queued: handed back by a worker that shuts down, or a further attempt of a tool that calls itself idempotent.
const NEXT: Readonly<Record<TaskState, readonly TaskState[]>> = {
  queued: ['running', 'failed', 'killed', 'lost'],
  running: ['stopping', 'completed', 'failed', 'lost', 'queued'],
  stopping: ['killed', 'completed', 'failed', 'lost'],
  completed: [],
  failed: [],
  killed: [],
  lost: [],
};

export function mayBecome(from: TaskState, to: TaskState): boolean {
  return NEXT[from].includes(to);
}

export function isFinalState(state: TaskState): state is FinalTaskState {
  return NEXT[state].length === 0;
}

/** Whose task it is. Anybody else gets the answer that an id which never existed gets. */
export interface TaskOwner {
  readonly tenant: string | null;
  readonly user: string;
  readonly session: SessionId;
}

export interface TaskTransition {
  readonly state: TaskState;
  readonly at: string;
  /** Who or what caused it, where that is not the task itself: `killed by ada`, `the worker ended`. */
  readonly reason: string | null;
}

/** How it ended. */
export interface TaskExit {
  readonly state: FinalTaskState;
  /** Of a program; null where there was none, or a signal ended it. */
  readonly exitCode: number | null;
  /** One line, for everything but a plain success. */
  readonly reason: string | null;
  /** What the tool returned, scrubbed and cut to its output limit. */
  readonly result: string;
  readonly truncated: boolean;
}

/** A task as everybody may see it who may see it at all: no input, no secret. */
export interface TaskRecord {
  readonly id: TaskId;
  readonly owner: TaskOwner;
  readonly call: CallId;
  readonly tool: string;
  /** One scrubbed line for lists: the command, say. */
  readonly title: string;
  /** sha256 of the canonical input. */
  readonly inputDigest: string;
  readonly decision: DecisionId;
  readonly state: TaskState;
  /** Each state that it has been in, once each time it was entered. */
  readonly transitions: readonly TaskTransition[];
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly exit: TaskExit | null;
  /** Bytes written so far; the cursor after the last of them. */
  readonly outputBytes: number;
}

const TASK_ID = /^t-[0-9a-hjkmnp-tv-z]{24}$/;
const ID_BYTES = 16;

/** 120 random bits: knowing one id helps nobody to find another. */
export function newTaskId(random?: RandomBytes): TaskId {
  return newId('TaskId', random, ID_BYTES);
}

/** What is no id names nothing, and never a file. */
export function isTaskId(text: string): text is TaskId {
  return TASK_ID.test(text);
}

/** A copy in the next state. Throws `task.transition` where the machine has no such step. */
export function transitioned(record: TaskRecord, to: TaskTransition, exit: TaskExit | null): TaskRecord {
  if (!mayBecome(record.state, to.state)) {
    throw new WrongStackError(
      'task.transition',
      `task ${record.id} is ${record.state} and cannot become ${to.state}`,
    );
  }
  return {
    ...record,
    state: to.state,
    transitions: [...record.transitions, to],
    startedAt: to.state === 'running' ? (record.startedAt ?? to.at) : record.startedAt,
    endedAt: isFinalState(to.state) ? to.at : null,
    exit,
  };
}
