import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** Answers that are being written, so that a server which goes down can wait for them. */
export class OpenAnswers {
  readonly #open = new Set<ServerResponse>();

  add(response: ServerResponse): void {
    if (response.closed) return;
    this.#open.add(response);
    response.once('close', () => this.#open.delete(response));
  }

  /** Resolves when all that are open now are over, at the latest after `ms`. */
  async settled(ms: number): Promise<void> {
    const signal = AbortSignal.timeout(ms);
    const ends = [...this.#open].map((response) => once(response, 'close', { signal }));
    await Promise.allSettled(ends);
  }
}
