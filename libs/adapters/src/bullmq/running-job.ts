import {
  messageOf,
  type TaskExit,
  type TaskId,
  type TaskJob,
  type TaskSink,
  type TaskWork,
} from '@wrongstack/contracts';
import type { OutputPiece, TaskStore } from './task-store.js';
import { WaitingOutput } from './waiting-output.js';

/** How long a few words may wait for more to go with them. */
const FLUSH_MS = 100;
/** A write that failed is tried again after this. */
const RETRY_MS = 1_000;
/** Small enough that its copies on the way are no large objects to the garbage collector, whatever the script. */
const MOST_OF_A_WRITE = 48 * 1024;
/** From here on whoever prints is asked to wait, as long as writes come back at all. */
const ENOUGH_WAITING = 96 * 1024;
const LONGEST_WAIT_MS = 500;
/** So that output is not slower than the network is far. */
const MOST_UNDER_WAY = 2;

/** One task that this process runs: its output on the way to Redis, and how it is stopped. */
export class RunningJob implements TaskSink {
  readonly #controller = new AbortController();
  readonly #waiting = new WaitingOutput();
  /** Written in this order; each begins where the one before it ends. */
  #underWay: { readonly piece: OutputPiece; readonly written: Promise<boolean> }[] = [];
  #following = false;
  #failed = false;
  /** Nothing has come back since somebody waited in vain: Redis is away, and the task goes on without it. */
  #away = false;
  readonly #waiters = new Set<() => void>();
  #timer: NodeJS.Timeout | null = null;
  /** Bytes that were handed to the store. */
  #from: number;

  constructor(
    readonly job: TaskJob,
    outputBytes: number,
    private readonly store: Pick<TaskStore, 'write'>,
  ) {
    this.#from = outputBytes;
  }

  get id(): TaskId {
    return this.job.id;
  }

  stop(reason: string): void {
    if (!this.#controller.signal.aborted) this.#controller.abort(new DOMException(reason, 'AbortError'));
  }

  /** Resolves with how it ended and what of its output is not written yet. */
  async run(work: TaskWork): Promise<{ readonly exit: TaskExit; readonly rest: OutputPiece }> {
    let exit: TaskExit;
    try {
      exit = await work(this.job, this, this.#controller.signal);
    } catch (error) {
      exit = { state: 'failed', exitCode: null, reason: messageOf(error), result: '', truncated: false };
    }
    this.#makeRoom();
    while (this.#underWay.length > 0) await Promise.all(this.#underWay.map(({ written }) => written));
    if (this.#timer !== null) clearTimeout(this.#timer);
    return { exit, rest: this.#take(Infinity) };
  }

  write(text: string): void {
    this.#waiting.push(text);
    if (this.#waiting.length >= MOST_OF_A_WRITE) this.#send(MOST_OF_A_WRITE);
    this.#sendSoon(FLUSH_MS);
  }

  room(): Promise<void> | null {
    if (this.#away || this.#waiting.length < ENOUGH_WAITING) return null;
    return new Promise((resolve) => {
      const late = setTimeout(() => {
        this.#away = true;
        this.#makeRoom();
      }, LONGEST_WAIT_MS);
      this.#waiters.add(() => {
        clearTimeout(late);
        resolve();
      });
    });
  }

  #makeRoom(): void {
    for (const wake of this.#waiters) wake();
    this.#waiters.clear();
  }

  #sendSoon(ms: number): void {
    if (this.#waiting.length === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      // What comes while writes are under way is joined, so that a task that says much in little words costs few round trips.
      if (this.#underWay.length === 0) this.#send(1);
    }, ms);
  }

  /** As long as there is that much. */
  #send(least: number): void {
    while (!this.#failed && this.#waiting.length >= least && this.#underWay.length < MOST_UNDER_WAY) {
      const piece = this.#take(MOST_OF_A_WRITE);
      const written = this.store.write(this.id, piece).then(
        () => true,
        () => false,
      );
      this.#underWay.push({ piece, written });
      if (!this.#following) void this.#follow();
    }
  }

  async #follow(): Promise<void> {
    this.#following = true;
    for (let first = this.#underWay[0]; first !== undefined; first = this.#underWay[0]) {
      if (await first.written) {
        this.#underWay.shift();
        this.#send(MOST_OF_A_WRITE);
        this.#away = false;
        if (this.#waiting.length < ENOUGH_WAITING) this.#makeRoom();
      } else await this.#startAgain(first.piece);
    }
    this.#following = false;
    this.#sendSoon(FLUSH_MS);
  }

  /** Its script did not run, and so those behind it found no place to begin at: nothing of them is there. */
  async #startAgain({ from }: OutputPiece): Promise<void> {
    this.#failed = true;
    await Promise.all(this.#underWay.map(({ written }) => written));
    this.#waiting.putBack(this.#underWay.map(({ piece }) => piece.text));
    this.#from = from;
    this.#underWay = [];
    this.#failed = false;
    this.#sendSoon(RETRY_MS);
  }

  #take(most: number): OutputPiece {
    const piece = { text: this.#waiting.take(most), from: this.#from };
    this.#from += Buffer.byteLength(piece.text);
    return piece;
  }
}
