import type { ControlStore } from '@wrongstack/contracts/control';

const GATHER_MS = 1_000;

/**
 * When tokens were last used: nice to know, so nobody waits for it and it may be missed. All uses of a second are one commit; a commit
 * for each would keep the thread, and with SQLite everybody, waiting for the disk thousands of times a minute.
 */
export class TokenTouches {
  #waiting = new Map<string, string>();
  #timer: NodeJS.Timeout | null = null;

  constructor(private readonly store: ControlStore) {}

  add(id: string, at: string): void {
    this.#waiting.set(id, at);
    this.#timer ??= setTimeout(() => void this.#write(), GATHER_MS).unref();
  }

  async #write(): Promise<void> {
    const together = this.#waiting;
    this.#waiting = new Map();
    this.#timer = null;
    await this.store
      .transaction(async (tx) => {
        for (const [id, at] of together) await tx.tokens.touch(id, at);
      })
      .catch(() => undefined);
  }
}
