import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { messageOf, type TaskSink } from '@wrongstack/contracts';
import { PRIVATE_FILE } from '../files/private-files.js';
import { segmentFile } from './output-segments.js';

const FLUSH_BYTES = 64 * 1024;
const FLUSH_MS = 50;

export interface OutputWriterOptions {
  readonly segmentBytes: number;
  /** Beyond it the oldest segments go. */
  readonly mostBytes: number;
  readonly onWrite: () => void;
}

/**
 * A task's output on its way to disk. What waits is bounded, since writing is synchronous: a task that prints a gigabyte is
 * slowed down by the disk and cannot fill the memory.
 */
export class OutputWriter implements TaskSink {
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #written = 0;
  #handle: number | null = null;
  #timer: NodeJS.Timeout | null = null;
  #problem: string | null = null;
  #closed = false;

  constructor(
    private readonly folder: string,
    private readonly options: OutputWriterOptions,
  ) {}

  get end(): number {
    return this.#written + this.#waitingBytes;
  }

  /** Why output is missing at the end, when the disk refused it. */
  get problem(): string | null {
    return this.#problem;
  }

  write(text: string): void {
    if (text === '' || this.#closed || this.#problem !== null) return;
    const bytes = Buffer.from(text, 'utf8');
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes >= FLUSH_BYTES) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS).unref();
  }

  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#waitingBytes === 0) return;
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    try {
      this.#append(bytes);
    } catch (error) {
      // A full disk costs output, not the task.
      this.#problem = messageOf(error);
    }
    this.options.onWrite();
  }

  /** What a tool that was left behind still prints goes nowhere. */
  close(): void {
    this.flush();
    this.#closed = true;
    if (this.#handle !== null) closeSync(this.#handle);
    this.#handle = null;
  }

  #append(bytes: Buffer): void {
    const { segmentBytes } = this.options;
    for (let offset = 0; offset < bytes.length;) {
      const inside = this.#written % segmentBytes;
      if (inside === 0) this.#nextSegment();
      const length = Math.min(bytes.length - offset, segmentBytes - inside);
      const done = writeSync(this.#handle ?? -1, bytes, offset, length);
      this.#written += done;
      offset += done;
    }
  }

  #nextSegment(): void {
    const { segmentBytes, mostBytes } = this.options;
    const index = this.#written / segmentBytes;
    const handle = openSync(segmentFile(this.folder, index), 'wx', PRIVATE_FILE);
    if (this.#handle !== null) closeSync(this.#handle);
    this.#handle = handle;
    const gone = index - Math.max(1, Math.floor(mostBytes / segmentBytes));
    if (gone >= 0) rmSync(segmentFile(this.folder, gone), { force: true });
  }
}
