const MOST_UNASKED = 2_000;
const WITHIN_MS = 1_000;

/**
 * Counts what a server sends that nobody asked for: notifications, requests, and lines that are no message. Reading them
 * costs more than writing them, so a server that does not stop leaves no time for anything else, its own answers included.
 */
export class FloodGuard {
  #since = Number.NEGATIVE_INFINITY;
  #count = 0;
  #flooded = false;

  constructor(
    private readonly onFlood: () => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  static readonly fault = `sent more than ${String(MOST_UNASKED)} unasked messages within a second and was disconnected`;

  get flooded(): boolean {
    return this.#flooded;
  }

  message(message: object): void {
    // An answer has no method, and belongs to a request of ours or is refused by the library.
    if ('method' in message) this.unasked();
  }

  unasked(): void {
    const now = this.now();
    if (now - this.#since >= WITHIN_MS) {
      this.#since = now;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count <= MOST_UNASKED || this.#flooded) return;
    this.#flooded = true;
    this.onFlood();
  }
}
