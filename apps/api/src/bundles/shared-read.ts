import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * One read for all who ask before it begins: ten thousand clients that are woken by the same news ask the store once, and none of them
 * gets what is older than its question.
 */
export class SharedRead<Value> {
  #next: Promise<Value> | null = null;

  constructor(private readonly read: () => Promise<Value>) {}

  get(): Promise<Value> {
    this.#next ??= this.#begin();
    return this.#next;
  }

  async #begin(): Promise<Value> {
    await nextTurn();
    this.#next = null;
    return this.read();
  }
}
