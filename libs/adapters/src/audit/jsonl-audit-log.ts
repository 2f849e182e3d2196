import { join } from 'node:path';
import type { AuditEntry, Clock } from '@wrongstack/contracts';
import { AuditLog, WrongStackError, codeOf, isoNow, newId, systemClock } from '@wrongstack/contracts';
import { ensurePrivateFolder } from '../files/private-files.js';
import { AuditFile } from './audit-file.js';
import type { AuditRecord } from './audit-record.js';
import { sealRecord } from './audit-record.js';
import { DiskReserve, RESERVE_BYTES } from './disk-reserve.js';

const ROTATE_BYTES = 32 * 1024 * 1024;
const REFILL_EVERY_MS = 60_000;

export interface JsonlAuditLogOptions {
  readonly clock?: Clock;
  /** A new file once the current one is this large. */
  readonly rotateBytes?: number;
  readonly reserveBytes?: number;
}

interface Waiting {
  readonly entry: AuditEntry;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** The audit log of this process: one hash chain of its own, however many processes write into the same folder. */
export class JsonlAuditLog extends AuditLog {
  readonly chain = newId('CallId').replace(/^c-/, 'a-');
  private readonly clock: Clock;
  private readonly file: AuditFile;
  private readonly reserve: DiskReserve;
  private waiting: Waiting[] = [];
  private writing: Promise<void> | null = null;
  private last: AuditRecord | null = null;
  private refillAt = Number.NEGATIVE_INFINITY;
  private prepared = false;

  constructor(
    private readonly folder: string,
    options: JsonlAuditLogOptions = {},
  ) {
    super();
    this.clock = options.clock ?? systemClock;
    this.file = new AuditFile(folder, this.chain, options.rotateBytes ?? ROTATE_BYTES);
    this.reserve = new DiskReserve(join(folder, 'reserve'), options.reserveBytes ?? RESERVE_BYTES);
  }

  override append(entry: AuditEntry): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ entry, resolve, reject });
      this.writing ??= this.writeWaiting();
    });
  }

  async close(): Promise<void> {
    await this.writing;
    await this.file.close();
  }

  /** Several records that wait at the same time share one sync. */
  private async writeWaiting(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      const sealed = this.seal(batch);
      const last = sealed.at(-1);
      if (!last) continue;
      try {
        await this.writeDurably(sealed.map(({ line }) => line).join(''));
      } catch (thrown) {
        for (const { one } of sealed) one.reject(this.unwritable(thrown));
        continue;
      }
      this.last = last.record;
      const { chain, seq, hash } = last.record;
      for (const { one } of sealed) one.resolve();
      // Only evidence about the end; the records themselves are safe already.
      await this.file.writeHead({ chain, seq, hash }).catch(() => undefined);
    }
    this.writing = null;
  }

  /** Entries that JSON cannot hold are refused one by one and leave no gap. */
  private seal(
    batch: readonly Waiting[],
  ): { readonly one: Waiting; readonly record: AuditRecord; readonly line: string }[] {
    const sealed: { one: Waiting; record: AuditRecord; line: string }[] = [];
    let before = this.last;
    for (const one of batch) {
      try {
        const { record, line } = sealRecord({
          v: 1,
          chain: this.chain,
          seq: before === null ? 0 : before.seq + 1,
          prev: before?.hash ?? null,
          entry: one.entry,
        });
        sealed.push({ one, record, line });
        before = record;
      } catch (thrown) {
        before = sealed.at(-1)?.record ?? this.last;
        one.reject(
          new WrongStackError('audit.bad_entry', 'audit entry cannot be written as JSON', { cause: thrown }),
        );
      }
    }
    return sealed;
  }

  private async writeDurably(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    const day = isoNow(this.clock).slice(0, 10);
    await this.prepare();
    try {
      await this.file.append(bytes, day);
    } catch (thrown) {
      if (!isFull(thrown) || !(await this.reserve.release())) throw thrown;
      this.refillAt = this.clock.now() + REFILL_EVERY_MS;
      await this.file.append(bytes, day);
    }
  }

  private async prepare(): Promise<void> {
    if (!this.prepared) await ensurePrivateFolder(this.folder);
    this.prepared = true;
    if (this.clock.now() < this.refillAt) return;
    this.refillAt = this.clock.now() + REFILL_EVERY_MS;
    await this.reserve.fill();
  }

  private unwritable(thrown: unknown): WrongStackError {
    return new WrongStackError(
      'audit.unwritable',
      `audit log ${this.folder} cannot be written (${codeOf(thrown)})`,
      {
        cause: thrown,
        hint: 'free disk space or check the folder; calls are denied until then',
      },
    );
  }
}

function isFull(thrown: unknown): boolean {
  return codeOf(thrown) === 'ENOSPC' || codeOf(thrown) === 'EDQUOT';
}
