/** A value that changes, and those who want to know: what `useSyncExternalStore` asks for. */
export class Signal<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  readonly read = (): T => this.#value;

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of [...this.#listeners]) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Resolves as soon as the value fits. */
  async until(fits: (value: T) => boolean): Promise<T> {
    if (fits(this.#value)) return this.#value;
    return new Promise((resolve) => {
      const stop = this.subscribe(() => {
        if (!fits(this.#value)) return;
        stop();
        resolve(this.#value);
      });
    });
  }
}
