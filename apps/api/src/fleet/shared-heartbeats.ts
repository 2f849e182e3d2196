import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FleetStore, Heartbeat } from '@wrongstack/contracts/control';

/**
 * A publication wakes every client, and each of them says at once what it has now. Those that come while a commit is under way share the
 * next one. Nobody is answered before its own heartbeat is kept.
 */
export class SharedHeartbeats {
  #waiting: Heartbeat[] = [];
  #next: Promise<void> | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(private readonly fleet: Pick<FleetStore, 'record'>) {}

  record(heartbeat: Heartbeat): Promise<void> {
    this.#waiting.push(heartbeat);
    this.#next ??= this.#write(this.#writing);
    return this.#next;
  }

  async #write(before: Promise<void>): Promise<void> {
    // Whoever shared the one before has heard why it failed.
    await before.catch(() => undefined);
    await nextTurn();
    const together = this.#waiting;
    this.#waiting = [];
    this.#writing = this.fleet.record(together);
    this.#next = null;
    await this.#writing;
  }
}
