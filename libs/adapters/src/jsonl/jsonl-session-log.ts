import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { SessionEntry, SessionId } from '@wrongstack/contracts';
import { SessionLog, WrongStackError, codeOf } from '@wrongstack/contracts';
import type { FileLock } from '../files/file-lock.js';
import { entryLine, readEntries } from './session-lines.js';

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** The open log of one session. Lines are written in the order of `append`, as many at once as are waiting. */
export class JsonlSessionLog extends SessionLog {
  private waiting: Waiting[] = [];
  private writing: Promise<void> | null = null;
  private broken: WrongStackError | null = null;
  private closed = false;

  constructor(
    readonly id: SessionId,
    readonly file: string,
    private readonly handle: FileHandle,
    private readonly lock: FileLock,
    /** Bytes that are known to be whole lines. */
    private size: number,
  ) {
    super();
  }

  override async append(entry: SessionEntry): Promise<void> {
    if (this.closed) throw this.error('session.closed', 'is closed');
    if (this.broken) throw this.broken;
    // Now, and not when it is its turn: the caller may change the entry afterwards.
    const line = entryLine(entry);
    await new Promise<void>((resolve, reject) => {
      this.waiting.push({ line, resolve, reject });
      this.writing ??= this.writeWaiting();
    });
  }

  override async flush(): Promise<void> {
    await this.writing;
    if (this.broken) throw this.broken;
    if (!this.closed) await this.handle.datasync();
  }

  override async *entries(): AsyncGenerator<SessionEntry, void, undefined> {
    await this.writing;
    const end = this.size;
    const reader = await open(this.file, 'r');
    try {
      yield* readEntries(reader, { end });
    } finally {
      await reader.close();
    }
  }

  override async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    try {
      await this.writing;
      if (!this.broken) await this.handle.datasync();
    } finally {
      await this.handle.close();
      this.lock.release();
    }
  }

  private async writeWaiting(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      const bytes = Buffer.from(batch.map((one) => one.line).join(''));
      try {
        await this.handle.appendFile(bytes);
        this.size += bytes.length;
        for (const one of batch) one.resolve();
      } catch (thrown) {
        const failure = this.error('session.unwritable', `cannot be written (${codeOf(thrown)})`, thrown);
        await this.undoPartOf(failure);
        for (const one of batch) one.reject(failure);
      }
    }
    this.writing = null;
  }

  /** A full disk may have taken half a line: cut it off, so that the next one does not land behind it. */
  private async undoPartOf(failure: WrongStackError): Promise<void> {
    try {
      await this.handle.truncate(this.size);
    } catch {
      this.broken = failure;
      for (const one of this.waiting) one.reject(failure);
      this.waiting = [];
    }
  }

  private error(code: string, problem: string, cause?: unknown): WrongStackError {
    return new WrongStackError(code, `session ${basename(this.file)} ${problem}`, {
      cause,
      ...(code === 'session.unwritable' && { hint: 'free disk space or check the folder' }),
    });
  }
}
