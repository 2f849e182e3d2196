import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { isConnectionLost } from '../store-error.js';

/**
 * The pool as Kysely asks for it. A connection that was lost, or did not answer in time and may still be at work, is thrown
 * away instead of being given to the next one.
 */
export class GuardedPool implements PostgresPool {
  readonly #clients = new WeakMap<PoolClient, GuardedClient>();

  constructor(private readonly pool: Pool) {
    // Connections that wait in the pool are lost too when a database goes away; the next call finds out by itself.
    pool.on('error', () => undefined);
  }

  async connect(): Promise<PostgresPoolClient> {
    const client = await this.pool.connect();
    let guarded = this.#clients.get(client);
    if (guarded === undefined) {
      guarded = new GuardedClient(client);
      this.#clients.set(client, guarded);
    }
    return guarded as unknown as PostgresPoolClient; // Kysely overloads `query` for cursors, which this store does not use.
  }

  async end(): Promise<void> {
    await this.pool.end();
  }
}

class GuardedClient {
  #lost = false;

  constructor(private readonly client: PoolClient) {
    // Without a listener an error between two statements would end the process.
    client.on('error', () => {
      this.#lost = true;
    });
  }

  async query(text: string, parameters: readonly unknown[]): Promise<unknown> {
    try {
      return await this.client.query(text, [...parameters]);
    } catch (thrown) {
      this.#lost ||= isConnectionLost(thrown);
      throw thrown;
    }
  }

  release(): void {
    this.client.release(this.#lost);
  }
}
