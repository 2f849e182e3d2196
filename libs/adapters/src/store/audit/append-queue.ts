import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditReceipt } from '@wrongstack/contracts/control';
import { WrongStackError } from '@wrongstack/contracts';
import type { RootSession } from '../store-session.js';
import type { PreparedBatch } from './append-records.js';
import { appendRecords } from './append-records.js';

/** Records that share one transaction at most: what waits longest is not kept waiting by a flood. */
const RECORDS_A_COMMIT = 1_000;

/** So long the first waits for others at most: idle, a turn of the event loop takes microseconds, and a commit takes thousands. */
const MOST_TURNS = 6;

interface Waiting {
  readonly batch: PreparedBatch;
  readonly resolve: (receipt: AuditReceipt) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * The chain has one end, so appends are one after another whatever is done. While one commit is under way the others wait here
 * and then share the next: the cost of making something durable is paid once for all of them.
 */
export class AppendQueue {
  #waiting: Waiting[] = [];
  #writing: Promise<void> | null = null;

  constructor(private readonly session: RootSession) {}

  append(batch: PreparedBatch): Promise<AuditReceipt> {
    this.session.refuseNested();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ batch, resolve, reject });
      this.#writing ??= this.writeWaiting();
    });
  }

  async drain(): Promise<void> {
    await this.#writing;
  }

  private async writeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.gather();
      const together = this.takeTogether();
      try {
        const batches = together.map(({ batch }) => batch);
        const receipts = await this.session.atomically((db) => appendRecords(db, this.session.kind, batches));
        together.forEach(({ resolve, reject }, index) => {
          const receipt = receipts[index];
          if (receipt === undefined) reject(new WrongStackError('store.failed', 'an append gave no receipt'));
          else resolve(receipt);
        });
      } catch (thrown) {
        for (const { reject } of together) reject(thrown);
      }
    }
    this.#writing = null;
  }

  /**
   * Those that came with the first are about to append too, and SQLite commits in this very thread: whoever is not here by then waits
   * for a commit of somebody else's. So the commit begins when a turn has brought nobody else.
   */
  private async gather(): Promise<void> {
    let before = 0;
    for (let turn = 0; turn < MOST_TURNS && this.#waiting.length > before; turn += 1) {
      before = this.#waiting.length;
      await nextTurn();
    }
  }

  private takeTogether(): readonly Waiting[] {
    let records = 0;
    let count = 0;
    for (const { batch } of this.#waiting) {
      records += batch.records.length;
      if (count > 0 && records > RECORDS_A_COMMIT) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }
}
