import { type Disposer, type Logger, messageOf } from '@wrongstack/contracts';
import { withDeadline } from '@wrongstack/kernel';

/** Resolves where all is well, and rejects with the reason where it is not. */
export type ReadinessCheck = (signal: AbortSignal) => Promise<void>;

const CHECK_MS = 3_000;

/**
 * What this process needs in order to serve. Anybody may ask, so an answer holds names alone and the reasons go to the
 * log; and whoever asks meanwhile shares the round that is under way, so that asking often costs nothing more.
 */
export class Readiness {
  readonly #checks = new Map<string, ReadinessCheck>();
  #round: Promise<readonly string[]> | null = null;

  constructor(
    private readonly log: Logger,
    private readonly checkMs = CHECK_MS,
  ) {}

  /** Names are lower-case words; one that is taken is replaced. */
  add(name: string, check: ReadinessCheck): Disposer {
    this.#checks.set(name, check);
    return () => {
      if (this.#checks.get(name) === check) this.#checks.delete(name);
    };
  }

  /** Names of what is not ready, in the order of registration; each check has so many milliseconds. Never rejects. */
  failing(): Promise<readonly string[]> {
    this.#round ??= this.#ask().finally(() => {
      this.#round = null;
    });
    return this.#round;
  }

  async #ask(): Promise<readonly string[]> {
    const answers = await Promise.all([...this.#checks].map(([name, check]) => this.#fails(name, check)));
    return answers.flatMap((name) => (name === null ? [] : [name]));
  }

  async #fails(name: string, check: ReadinessCheck): Promise<string | null> {
    try {
      await withDeadline(`readiness of ${name}`, this.checkMs, new AbortController().signal, check);
      return null;
    } catch (error) {
      this.log.warn('not ready', { check: name, message: messageOf(error) });
      return name;
    }
  }
}
