import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { WrongStackError } from '@wrongstack/contracts';
import { sql } from 'kysely';
import type { Database, StoreKind } from './schema.js';
import { isRetryable, storeError } from './store-error.js';

const MAX_ATTEMPTS = 6;
/** Any number that nothing else in this database uses as an advisory lock. */
const RETRY_LOCK = '8607345810447462242';

/** How ports reach the database: alone, or within a transaction that somebody else began. */
export interface StoreSession {
  readonly kind: StoreKind;
  /** Statements that each stand for themselves. */
  run<Result>(work: (db: Database) => Promise<Result>): Promise<Result>;
  /** Statements that hold together: in a transaction of their own, or in the one around. */
  atomically<Result>(work: (db: Database) => Promise<Result>): Promise<Result>;
}

/** Each call on its own. A call from inside of a transaction of the same store would wait for itself: `store.nested`. */
export class RootSession implements StoreSession {
  readonly #around = new AsyncLocalStorage<TransactionSession>();
  #underWay = 0;
  #closed = false;

  constructor(
    private readonly db: Database,
    readonly kind: StoreKind,
  ) {}

  async run<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
    this.refuseNested();
    return await this.withRetries(() => work(this.db));
  }

  async atomically<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
    return await this.transaction((session) => session.run(work));
  }

  async transaction<Result>(work: (session: StoreSession) => Promise<Result>): Promise<Result> {
    this.refuseNested();
    return await this.withRetries((made) =>
      this.db.transaction().execute(async (tx) => {
        if (made > 1) await this.waitForOthersThatTryAgain(tx);
        const session = new TransactionSession(tx, this.kind);
        this.#underWay += 1;
        try {
          return await this.#around.run(session, () => work(session));
        } finally {
          session.end();
          this.#underWay -= 1;
          // A storage in use slows down every promise of the process, and nobody is within a transaction now.
          if (this.#underWay === 0) this.#around.disable();
        }
      }),
    );
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.db.destroy();
  }

  refuseNested(): void {
    if (this.#closed) throw new WrongStackError('store.closed', 'the store is closed');
    if (this.#around.getStore()?.isOpen === true) {
      throw new WrongStackError(
        'store.nested',
        'a transaction is under way here: use its ports, not the store',
      );
    }
  }

  /** Those that try again do so one after another, or the same ones would end each other anew. */
  private async waitForOthersThatTryAgain(tx: Database): Promise<void> {
    if (this.kind === 'postgres') {
      await sql`select pg_advisory_xact_lock(${sql.lit(RETRY_LOCK)}::bigint)`.execute(tx);
    }
  }

  private async withRetries<Result>(attempt: (made: number) => Promise<Result>): Promise<Result> {
    for (let made = 1; ; made += 1) {
      try {
        return await attempt(made);
      } catch (thrown) {
        if (!isRetryable(thrown) || made >= MAX_ATTEMPTS) throw storeError(thrown);
        // Apart from each other, or the same two meet again.
        await sleep(Math.random() * 5 * 2 ** made);
      }
    }
  }
}

/** Within a transaction. What is thrown is not translated here: the one who began it must see what can be run again. */
class TransactionSession implements StoreSession {
  #open = true;

  constructor(
    private readonly db: Database,
    readonly kind: StoreKind,
  ) {}

  get isOpen(): boolean {
    return this.#open;
  }

  end(): void {
    this.#open = false;
  }

  async run<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
    if (!this.#open) throw new WrongStackError('store.closed', 'this transaction has ended');
    return await work(this.db);
  }

  atomically<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
    return this.run(work);
  }
}
