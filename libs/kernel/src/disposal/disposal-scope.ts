import type { Disposer } from '@wrongstack/contracts';

/**
 * Collects the disposers of many registrations and undoes them in reverse order. A disposer that throws is reported and
 * the rest still run, so that one bad plugin never leaves another's registrations behind.
 */
export class DisposalScope {
  readonly #disposers: Disposer[] = [];
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void = () => undefined) {
    this.#onError = onError;
  }

  get size(): number {
    return this.#disposers.length;
  }

  add(disposer: Disposer): Disposer {
    this.#disposers.push(disposer);
    return () => {
      const index = this.#disposers.indexOf(disposer);
      if (index === -1) return;
      this.#disposers.splice(index, 1);
      disposer();
    };
  }

  dispose(): void {
    for (let disposer = this.#disposers.pop(); disposer !== undefined; disposer = this.#disposers.pop()) {
      try {
        disposer();
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}

/** A disposer that acts once, however often it is called. */
export function once(action: () => void): Disposer {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    action();
  };
}
