import type { Logger } from '@wrongstack/contracts';
import type { ControlStore } from '@wrongstack/contracts/control';
import { messageOf } from '@wrongstack/contracts';

/** How often a replica looks whether another one has published. One small read, whatever the number of clients. */
const LOOK_EVERY_MS = 1_000;

/** Tells everybody who waits here that there is something new: what this process published at once, what others did within a second. */
export class PublicationWatch {
  readonly #waiting = new Set<() => void>();
  #timer: NodeJS.Timeout | null = null;
  #last: string | null = null;
  #looking = false;
  #count = 0;

  constructor(
    private readonly store: ControlStore,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.#timer ??= setInterval(() => void this.#look(), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#wake();
  }

  /** Another number as soon as something else may be in force: what was read under this one may be kept until then. */
  get news(): number {
    return this.#count;
  }

  /** Something was published here. */
  published(): void {
    this.#count += 1;
    this.#wake();
  }

  /** Resolves with the next news, or when the time is over. Thousands wait at once: a timer and two functions each, and nothing is left of them. */
  next(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const over = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(over);
        signal.removeEventListener('abort', over);
        resolve();
      };
      const timer = setTimeout(over, ms).unref();
      this.#waiting.add(over);
      signal.addEventListener('abort', over);
      if (signal.aborted) over();
    });
  }

  #wake(): void {
    for (const over of [...this.#waiting]) over();
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      const { epoch, revision } = await this.store.bundleRevision.current();
      const now = `${epoch}.${revision}`;
      if (this.#last !== null && this.#last !== now) this.published();
      this.#last = now;
    } catch (error) {
      this.log.warn('could not look for publications', { because: messageOf(error) });
    } finally {
      this.#looking = false;
    }
  }
}
