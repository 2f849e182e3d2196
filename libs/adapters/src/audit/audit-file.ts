import { constants, writeSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { PRIVATE_FILE, syncFolder } from '../files/private-files.js';
import type { ChainHead } from './audit-record.js';
import { auditFileName, headFileName } from './audit-record.js';

/** A write that has come back is on the disk: one step instead of two. Where a platform has no such thing, it takes two. */
const SYNCED = (constants as Partial<typeof constants>).O_DSYNC;
const NEW_FILE =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL | (SYNCED ?? 0);

/** The files of one chain: the one that is appended to, and the head that says how far the chain has got. */
export class AuditFile {
  private data: FileHandle | undefined;
  private head: FileHandle | undefined;
  private day = '';
  private part = 0;
  private size = 0;

  constructor(
    private readonly folder: string,
    private readonly chain: string,
    private readonly rotateBytes: number,
  ) {}

  /** Durable when it resolves. When it rejects, nothing of it is left in the file. */
  async append(bytes: Buffer, day: string): Promise<void> {
    const file = await this.fileFor(day);
    try {
      for (let written = 0; written < bytes.length;) {
        written += (await file.write(bytes, written)).bytesWritten;
      }
      if (SYNCED === undefined) await file.datasync();
    } catch (thrown) {
      await this.cutBack(file);
      throw thrown;
    }
    this.size += bytes.length;
  }

  /** After the records that it names: a head that is behind is harmless, one that is ahead would accuse somebody. */
  async writeHead(head: ChainHead): Promise<void> {
    this.head ??= await open(join(this.folder, headFileName(this.chain)), 'w', PRIVATE_FILE);
    // A number of fixed width keeps every write as long as the one before it.
    const line = JSON.stringify({ ...head, seq: String(head.seq).padStart(12, '0') });
    // So few bytes are not worth a thread.
    writeSync(this.head.fd, `${line}\n`, 0);
  }

  async close(): Promise<void> {
    await this.data?.close();
    await this.head?.close();
    this.data = undefined;
    this.head = undefined;
    this.day = '';
  }

  private async fileFor(day: string): Promise<FileHandle> {
    if (this.data && this.day === day && this.size < this.rotateBytes) return this.data;
    const next = await open(
      join(this.folder, auditFileName(day, this.chain, this.part)),
      NEW_FILE,
      PRIVATE_FILE,
    );
    await this.data?.close();
    this.data = next;
    this.day = day;
    this.part += 1;
    this.size = 0;
    await syncFolder(this.folder);
    return next;
  }

  /** A record that was refused must not be found later, and the next one needs a line of its own. */
  private async cutBack(file: FileHandle): Promise<void> {
    try {
      await file.truncate(this.size);
    } catch {
      // Then the rest of the chain goes into a new file; `verifyAudit` reports the torn line in this one.
      await file.close().catch(() => undefined);
      this.data = undefined;
    }
  }
}
