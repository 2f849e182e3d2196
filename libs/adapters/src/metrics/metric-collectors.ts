import { type Disposer, messageOf } from '@wrongstack/contracts';
import type { DroppedSamples } from './dropped-samples.js';

/** Sets gauges right before they are read. */
export type Collect = (signal: AbortSignal) => void | Promise<void>;

const DEADLINE_MS = 1_000;

/** What must be looked up when somebody scrapes. One that throws or hangs leaves its gauges as they are and holds nobody up. */
export class MetricCollectors {
  readonly #collectors = new Map<string, Collect>();
  readonly #running = new Map<string, Promise<boolean>>();

  constructor(
    private readonly dropped: DroppedSamples,
    private readonly onFailure: (collector: string) => void,
    private readonly deadlineMs = DEADLINE_MS,
  ) {}

  /** A name that is taken is replaced. */
  add(name: string, collect: Collect): Disposer {
    this.#collectors.set(name, collect);
    return () => {
      if (this.#collectors.get(name) === collect) this.#collectors.delete(name);
    };
  }

  /** Resolves when all have answered, or when the time is over. Never rejects. */
  async run(): Promise<void> {
    const names = [...this.#collectors.keys()];
    if (names.length === 0) return;
    const over = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => {
        over.abort();
        resolve('late');
      }, this.deadlineMs);
    });
    await Promise.all(
      names.map(async (name) => {
        // One that still hangs from the scrape before is not started on top of itself.
        const round = this.#running.get(name) ?? this.#start(name, over.signal);
        if ((await Promise.race([round, late])) === 'late') this.#failed(name, 'it did not answer in time');
      }),
    );
    clearTimeout(timer);
  }

  #start(name: string, signal: AbortSignal): Promise<boolean> {
    const round = this.#call(name, signal).finally(() => this.#running.delete(name));
    this.#running.set(name, round);
    return round;
  }

  async #call(name: string, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#collectors.get(name)?.(signal);
      return true;
    } catch (error) {
      if (!signal.aborted) this.#failed(name, messageOf(error));
      return false;
    }
  }

  #failed(name: string, message: string): void {
    this.onFailure(name);
    this.dropped.name(`collector ${name}`, 'a metrics collector failed', { collector: name, message });
  }
}
