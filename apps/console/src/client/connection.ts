import { Signal } from './signal.js';

const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 20_000;

export type Connection = { readonly is: 'there' } | { readonly is: 'away'; readonly since: number };

/** Does the API answer? Whoever sends a request says what came of it; while it is away it is asked now and then. */
export class ConnectionWatch {
  readonly state = new Signal<Connection>({ is: 'there' });
  #timer: ReturnType<typeof setTimeout> | null = null;
  #wait = FIRST_WAIT_MS;

  constructor(private readonly ask: () => Promise<boolean>) {}

  answered(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#wait = FIRST_WAIT_MS;
    this.state.set({ is: 'there' });
  }

  failed(): void {
    if (this.state.value.is === 'there') this.state.set({ is: 'away', since: Date.now() });
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => void this.retry(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS);
  }

  async retry(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (await this.ask()) this.answered();
    else this.failed();
  }
}

/** Is anybody there? Needs no credential. */
async function alive(): Promise<boolean> {
  try {
    const { ok } = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(10_000) });
    return ok;
  } catch {
    return false;
  }
}

export const connection = new ConnectionWatch(alive);
