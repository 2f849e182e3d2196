/** A queue of the bench, with all that it needs to run one task and to know when it began and ended. */
export interface BenchQueue {
  /** One task from its call to its end. Resolves with the milliseconds from `add` to its first line of work. */
  run(): Promise<number>;
  /** One status poll of a task that has ended. */
  poll(): Promise<void>;
  close(): Promise<void>;
}

/** Moments that others wait for, by name. */
export class Moments {
  readonly #waiting = new Map<string, (at: number) => void>();

  /** Before it can come. */
  of(name: string): Promise<number> {
    return new Promise((resolve) => this.#waiting.set(name, resolve));
  }

  come(name: string): void {
    this.#waiting.get(name)?.(performance.now());
    this.#waiting.delete(name);
  }
}
