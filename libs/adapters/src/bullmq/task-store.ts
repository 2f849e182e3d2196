import { hash as digest } from 'node:crypto';
import type { Redis } from 'ioredis';
import { isTaskId } from '@wrongstack/contracts';
import type {
  FinalTaskState,
  NewTask,
  TaskExit,
  TaskFilter,
  TaskId,
  TaskJob,
  TaskOutput,
  TaskOwner,
  TaskRecord,
  TaskState,
  TaskTransition,
} from '@wrongstack/contracts';
import { textSlice } from '../tasks-local/text-slice.js';
import { isFinalState } from '@wrongstack/contracts';
import { RedisTime } from './redis-time.js';
import { PREFIX, SCRIPTS } from './task-scripts.js';

export interface StoreLimits {
  readonly mostOfOwner: number;
  readonly mostOfTenant: number;
  readonly segmentBytes: number;
  readonly mostSegments: number;
  /** How long a task that has ended is remembered. */
  readonly keepMs: number;
  /** How long a worker may give no sign of life. */
  readonly patienceMs: number;
  /** Of tools that call themselves idempotent; others have one. */
  readonly attempts: number;
}

export type AddAnswer =
  | { readonly kind: 'added' }
  | { readonly kind: 'known'; readonly id: TaskId }
  | { readonly kind: 'limit'; readonly most: number; readonly whose: 'owner' | 'tenant' }
  /** It reached Redis after its caller gave up, and is not queued. */
  | { readonly kind: 'late' };

export interface Requeued {
  readonly id: TaskId;
  readonly attempt: number;
  /** How often it began to run before. */
  readonly runs: number;
}

export interface OutputPiece {
  readonly text: string;
  /** Bytes of output before it. */
  readonly from: number;
}

export interface Claimed {
  readonly job: TaskJob;
  /** Bytes of output that earlier attempts wrote. */
  readonly outputBytes: number;
}

type Call = (...args: (string | number | Buffer)[]) => Promise<unknown>;

const LOST = 'its worker gave no sign of life; how far it came is unknown';
const MOST_LISTED = 500;

/** Tasks in Redis: each method is one script, and so one round trip. */
export class TaskStore {
  readonly #call: (name: keyof typeof SCRIPTS) => Call;
  readonly #time = new RedisTime();

  constructor(
    private readonly redis: Redis,
    private readonly limits: StoreLimits,
  ) {
    for (const [name, lua] of Object.entries(SCRIPTS)) redis.defineCommand(name, { numberOfKeys: 0, lua });
    // Methods that defineCommand adds are not in the class's type.
    this.#call = (name) => (Reflect.get(redis, name) as Call).bind(redis);
  }

  /** Before the first `add`. */
  async learnTime(): Promise<void> {
    const sent = performance.now();
    const [seconds, micros] = await this.redis.time();
    this.#time.learn(sent, Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000));
  }

  /** `withinMs`: after it the caller says that the task was not taken, and so it must not be. */
  async add(task: NewTask, record: TaskRecord, withinMs: number): Promise<AddAnswer> {
    const { id, owner } = task.job;
    const { mostOfOwner, mostOfTenant, keepMs } = this.limits;
    const { key, delayMs = 0 } = task.options;
    const answer = await this.#call('wstAdd')(
      id,
      record.createdAt,
      JSON.stringify({ ...record, transitions: undefined, state: undefined, exit: undefined }),
      JSON.stringify(task.job),
      key === undefined ? '' : hash([owner.tenant, owner.user, key]),
      hash(['user', owner.tenant, owner.user]),
      hash(['tenant', owner.tenant]),
      mostOfOwner,
      mostOfTenant,
      keepMs,
      task.idempotent ? 1 : 0,
      delayMs,
      this.#time.now() + withinMs,
      listsOf(owner).join(' '),
    );
    const [kind, value, whose] = answer as [string, string, string | undefined];
    if (kind === 'known' && isTaskId(value)) return { kind, id: value };
    if (kind === 'late') return { kind };
    if (kind !== 'limit') return { kind: 'added' };
    return { kind, most: Number(value), whose: whose === 'tenant' ? 'tenant' : 'owner' };
  }

  /** The job, if this caller is the one that may run this attempt. `claimer` names one delivery of it. */
  async claim(id: TaskId, at: string, attempt: number, claimer: string): Promise<Claimed | null> {
    const answer = await this.#call('wstClaim')(id, at, attempt, claimer);
    if (answer === null) return null;
    const [job, outputBytes] = answer as [string, number];
    // Stored by `add`, as it was given.
    return { job: JSON.parse(job) as TaskJob, outputBytes };
  }

  /** The state that the task is in now: another than asked for when somebody else ended it before. */
  async finish(id: TaskId, at: string, exit: TaskExit, rest: OutputPiece): Promise<string> {
    const { segmentBytes, mostSegments, keepMs } = this.limits;
    const { state, reason } = exit;
    const args = [
      id,
      at,
      state,
      JSON.stringify(exit),
      rest.text,
      segmentBytes,
      mostSegments,
      reason ?? '',
      keepMs,
      rest.from,
    ];
    return String(await this.#call('wstFinish')(...args));
  }

  async write(id: TaskId, { text, from }: OutputPiece): Promise<void> {
    await this.#call('wstWrite')(id, text, this.limits.segmentBytes, this.limits.mostSegments, from);
  }

  async read(id: TaskId, cursor: number, maxBytes: number): Promise<TaskOutput | 'beyond' | null> {
    const { segmentBytes, mostSegments } = this.limits;
    // As bytes: a cut inside a character must not be decoded before it is seen.
    const read = (Reflect.get(this.redis, 'wstReadBuffer') as Call).bind(this.redis);
    const answer = await read(id, cursor, maxBytes, segmentBytes, mostSegments);
    if (answer === null) return null;
    const [state = '', bytes = '', from = ''] = (answer as Buffer[]).map(String);
    const text = (answer as Buffer[])[3] ?? Buffer.alloc(0);
    const end = Number(bytes);
    if (cursor > end) return 'beyond';
    const at = Number(from);
    const ended = isFinalState(state as TaskState);
    // Output that has expired before its task has leaves a gap up to the end.
    const gone = text.length === 0 && at < end && ended;
    const slice = gone
      ? { text: '', from: end, next: end }
      : textSlice(text, at, ended && at + text.length >= end);
    return { ...slice, lost: slice.from - cursor, end, done: ended && slice.next >= end };
  }

  /** The state before. */
  async kill(id: TaskId, at: string, reason: string): Promise<TaskState | null> {
    const exit: TaskExit = { state: 'killed', exitCode: null, reason, result: '', truncated: false };
    const args = [id, at, reason, JSON.stringify(exit), this.limits.keepMs];
    return (await this.#call('wstKill')(...args)) as TaskState | null;
  }

  async beat(ids: readonly TaskId[]): Promise<readonly string[]> {
    return (await this.#call('wstBeat')(...ids)) as string[];
  }

  /** Tasks that need another job; others of dead workers are lost now. */
  async sweep(at: string): Promise<readonly Requeued[]> {
    const { patienceMs, keepMs, attempts } = this.limits;
    const exit: TaskExit = { state: 'lost', exitCode: null, reason: LOST, result: '', truncated: false };
    const sent = performance.now();
    const answer = await this.#call('wstSweep')(at, patienceMs, keepMs, attempts, JSON.stringify(exit), LOST);
    const [time, found] = answer as [number, [string, string, string][]];
    this.#time.learn(sent, time);
    return found.flatMap(([id, attempt, runs]) =>
      isTaskId(id) ? [{ id, attempt: Number(attempt), runs: Number(runs) }] : [],
    );
  }

  async get(id: TaskId): Promise<TaskRecord | null> {
    // No script: what a poll costs is what many pollers cost.
    return recordOf(await this.redis.hmget(`${PREFIX}task:${id}`, ...RECORD_FIELDS));
  }

  async list(filter: TaskFilter): Promise<readonly TaskRecord[]> {
    const ids = await this.redis.zrevrange(`${PREFIX}list:${listOf(filter)}`, 0, MOST_LISTED - 1);
    const found = await Promise.all(ids.filter(isTaskId).map((id) => this.get(id)));
    return found.filter((record) => record !== null);
  }
}

const RECORD_FIELDS = ['record', 'state', 'exit', 'bytes', 'steps'] as const;

function recordOf([record, state, exit, bytes, steps]: readonly (string | null)[]): TaskRecord | null {
  if (record == null || state == null) return null;
  // Written by `add` and by the scripts alone.
  const transitions = JSON.parse(`[${(steps ?? '').trim().replaceAll('\n', ',')}]`) as TaskTransition[];
  const started = transitions.find((one) => one.state === 'running');
  const last = transitions.at(-1);
  return {
    ...(JSON.parse(record) as TaskRecord),
    state: state as TaskState,
    transitions,
    startedAt: started?.at ?? null,
    endedAt: isFinalState(state as TaskState) ? (last?.at ?? null) : null,
    exit: exit == null ? null : (JSON.parse(exit) as TaskExit & { readonly state: FinalTaskState }),
    outputBytes: Number(bytes ?? '0'),
  };
}

function listsOf({ tenant, user, session }: TaskOwner): readonly string[] {
  return [listOf({}), listOf({ tenant, user }), listOf({ tenant, user, session })];
}

function listOf({ tenant, user, session }: TaskFilter): string {
  if (user === undefined && session === undefined && tenant === undefined) return 'all';
  return hash([tenant ?? null, user ?? null, session ?? null]);
}

/** Names of people and tenants may hold anything; keys hold digests. */
function hash(parts: readonly (string | null)[]): string {
  return digest('sha256', JSON.stringify(parts)).slice(0, 32);
}
