import { join } from 'node:path';
import { codeOf } from '@wrongstack/contracts';
import type { AuditBatch } from '@wrongstack/contracts/wire';
import { FileLock } from '../files/file-lock.js';
import { ensurePrivateFolder } from '../files/private-files.js';
import type { AgentSession } from './agent-session.js';
import { ControlProblem } from './control-http.js';
import type { AuditSpool, ShipCursor, SpooledBatch } from './audit-spool.js';

export interface ShipReport {
  readonly shipped: number;
  /** Records that the server refused for good. */
  readonly rejected: number;
  /** Sources that it flagged. */
  readonly flagged: readonly string[];
}

/** Brings the spool to the server, at least once. Interrupted anywhere, it goes on where the last receipt was. */
export class AuditShipper {
  constructor(
    private readonly spool: AuditSpool,
    private readonly session: AgentSession,
    private readonly folder: string,
  ) {}

  /** All that is there now. Another process that is at it already does our work too: then this is nothing. Throws what `send` throws. */
  async ship(signal: AbortSignal): Promise<ShipReport> {
    await ensurePrivateFolder(this.folder);
    const attempt = FileLock.tryTake(join(this.folder, 'ship.lock'));
    if (!attempt.taken) return { shipped: 0, rejected: 0, flagged: [] };
    const report = { shipped: 0, rejected: 0, flagged: [] as string[] };
    try {
      for (const source of await this.spool.sources()) {
        for (let next = await this.spool.next(source); next !== null; next = await this.spool.next(source)) {
          const sent = await this.shipBatch(next, signal);
          report.shipped += sent.shipped;
          report.rejected += sent.rejected;
          if (sent.flagged && !report.flagged.includes(source)) report.flagged.push(source);
        }
      }
      return report;
    } finally {
      attempt.lock.release();
    }
  }

  private async shipBatch(
    { batch, after }: SpooledBatch,
    signal: AbortSignal,
  ): Promise<{ readonly shipped: number; readonly rejected: number; readonly flagged: boolean }> {
    const sent = await this.send(batch, signal);
    if (sent !== 'refused') {
      await this.spool.keep(batch.source, after);
      return { shipped: batch.records.length, rejected: 0, flagged: sent.flagged };
    }
    // Which of them it is cannot be seen from outside: one by one, so that the others get through.
    let [shipped, rejected, flagged] = [0, 0, false];
    let cursor: ShipCursor = await this.spool.cursor(batch.source);
    let prev = batch.prev;
    for (const record of batch.records) {
      const alone = { source: batch.source, first: record.seq, prev, records: [record] };
      const one = batch.records.length === 1 ? 'refused' : await this.send(alone, signal);
      prev = record.hash;
      if (one === 'refused') {
        rejected += 1;
        cursor = { ...cursor, rejected: [...cursor.rejected, { seq: record.seq, code: 'refused' }] };
      } else {
        shipped += 1;
        flagged ||= one.flagged;
      }
      cursor = { ...cursor, acknowledged: record.seq, hash: record.hash };
      await this.spool.keep(batch.source, cursor);
    }
    await this.spool.keep(batch.source, { ...after, rejected: cursor.rejected });
    return { shipped, rejected, flagged };
  }

  /** Only a receipt for the whole batch counts. */
  private async send(
    batch: AuditBatch,
    signal: AbortSignal,
  ): Promise<'refused' | { readonly flagged: boolean }> {
    try {
      const { body } = await this.session.send(
        { method: 'POST', path: 'audit/batches', body: batch, timeoutMs: 30_000 },
        signal,
      );
      const { acknowledged, flagged } = (typeof body === 'object' && body !== null ? body : {}) as Record<
        string,
        unknown
      >;
      const last = batch.records.at(-1)?.seq ?? 0;
      if (typeof acknowledged === 'number' && acknowledged >= last) return { flagged: flagged === true };
      throw new ControlProblem(
        502,
        'control.bad_answer',
        `the server took records of ${batch.source} up to ${String(acknowledged)} and not to ${last}`,
      );
    } catch (error) {
      if (error instanceof ControlProblem && [400, 413, 422].includes(error.status)) return 'refused';
      throw error;
    }
  }
}

/** Whether an error means "not now" rather than "never". */
export function isUnreachable(error: unknown): boolean {
  return codeOf(error) === 'control.unreachable' || (error instanceof ControlProblem && error.status >= 500);
}
