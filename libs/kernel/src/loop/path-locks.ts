import { AsyncLocalStorage } from 'node:async_hooks';
import { realPathOf } from './read-records.js';

/** One holder at a time for each file, in order of asking. */
export class PathLocks {
  readonly #tails = new Map<string, Promise<void>>();
  readonly #held = new AsyncLocalStorage<ReadonlySet<string>>();

  async with<T>(path: string, work: () => Promise<T>): Promise<T> {
    const key = realPathOf(path);
    const held = this.#held.getStore() ?? new Set<string>();
    // Whoever holds a lock and asks again inside would wait for itself for ever.
    if (held.has(key)) return work();
    const before = this.#tails.get(key) ?? Promise.resolve();
    let release = (): void => undefined;
    const mine = new Promise<void>((resolve) => (release = resolve));
    const tail = before.then(() => mine);
    this.#tails.set(key, tail);
    await before;
    try {
      return await this.#held.run(new Set([...held, key]), work);
    } finally {
      release();
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}

/** Shared by everything in this process: two agents that edit one file take turns. */
export const processPathLocks = new PathLocks();
