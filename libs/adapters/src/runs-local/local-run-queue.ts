import { RunQueue, type RunOffer, type RunWork } from '@wrongstack/contracts/control';

/** Runs of one process. It remembers nothing: what waits is found in the store after a restart and offered again. */
export class LocalRunQueue extends RunQueue {
  override readonly driver = 'local';
  readonly #waiting = new Map<string, RunOffer>();
  readonly #working = new Set<string>();
  #work: RunWork | null = null;
  #atOnce = 0;

  override async offer(offer: RunOffer): Promise<void> {
    const name = `${offer.run} ${offer.attempt}`;
    if (this.#working.has(name)) return;
    this.#waiting.set(name, offer);
    this.#next();
  }

  override take(work: RunWork, atOnce: number): void {
    this.#work = work;
    this.#atOnce = atOnce;
    this.#next();
  }

  override async pause(): Promise<void> {
    this.#work = null;
  }

  override async close(): Promise<void> {
    this.#work = null;
    this.#waiting.clear();
  }

  #next(): void {
    for (const [name, offer] of this.#waiting) {
      const work = this.#work;
      if (work === null || this.#working.size >= this.#atOnce) return;
      this.#waiting.delete(name);
      this.#working.add(name);
      void work(offer).finally(() => {
        this.#working.delete(name);
        this.#next();
      });
    }
  }
}
