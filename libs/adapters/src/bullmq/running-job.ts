import {
  messageOf,
  type TaskExit,
  type TaskId,
  type TaskJob,
  type TaskSink,
  type TaskWork,
} from '@wrongstack/contracts';
import type { OutputPiece, TaskStore } from './task-store.js';

const FLUSH_MS = 100;
const FLUSH_CHARACTERS = 64 * 1024;
/** What may wait for a Redis that is slow or away; the middle of more is left out, and said to be. */
const MOST_WAITING = 4 * 1024 * 1024;

/** One task that this process runs: its output on the way to Redis, and how it is stopped. */
export class RunningJob implements TaskSink {
  readonly #controller = new AbortController();
  #waiting = '';
  #skipped = 0;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();
  #busy = false;
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
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#writing;
    return { exit, rest: this.#take() };
  }

  write(text: string): void {
    this.#waiting += text;
    if (this.#waiting.length > MOST_WAITING) {
      const kept = this.#waiting.slice(-MOST_WAITING / 2);
      this.#skipped += this.#waiting.length - kept.length;
      this.#waiting = kept;
    }
    if (this.#waiting.length >= FLUSH_CHARACTERS) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS);
  }

  #flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    // One write under way at a time: what comes meanwhile is joined, so that a fast task costs few round trips.
    if (this.#busy || this.#waiting === '') return;
    this.#busy = true;
    const piece = this.#take();
    this.#writing = this.store
      .write(this.id, piece)
      .catch(() => {
        // The script did not run: what comes next begins where this would have.
        this.#from = piece.from;
        this.#skipped += piece.text.length;
      })
      .then(() => {
        this.#busy = false;
        if (this.#waiting !== '') this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS);
      });
  }

  #take(): OutputPiece {
    const skipped = this.#skipped === 0 ? '' : `\n[${this.#skipped} characters were lost here]\n`;
    const piece = { text: skipped + this.#waiting, from: this.#from };
    this.#from += Buffer.byteLength(piece.text);
    this.#waiting = '';
    this.#skipped = 0;
    return piece;
  }
}
