/** A queue of the bench, with all that it needs to run one task and to know when it began and ended. */
export interface BenchQueue {
  /** One task from its call to its end. Resolves with the milliseconds from `add` to its first line of work. */
  run(): Promise<number>;
  /** One status poll of a task that has ended. */
  poll(): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds of a clock that all processes of this machine share. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Moments that others wait for, by name. */
export class Moments {
  readonly #waiting = new Map<string, (at: number) => void>();

  /** Before it can come. */
  of(name: string): Promise<number> {
    return new Promise((resolve) => this.#waiting.set(name, resolve));
  }

  come(name: string, at = now()): void {
    this.#waiting.get(name)?.(at);
    this.#waiting.delete(name);
  }
}
