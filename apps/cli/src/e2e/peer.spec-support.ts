import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** The built binary, spoken to line by line. A line on stdout that is no JSON fails the test. */
export class Peer {
  readonly exited: Promise<number | null>;
  readonly #lines: AsyncIterator<string>;
  #id = 0;

  constructor(readonly child: ChildProcess) {
    if (child.stdout === null) throw new Error('the child has no stdout');
    this.#lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    this.exited = once(child, 'exit').then(([code]) => code as number | null);
  }

  send(method: string, params: unknown): number {
    this.#id += 1;
    this.write({ jsonrpc: '2.0', id: this.#id, method, params });
    return this.#id;
  }

  write(message: unknown): void {
    this.child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  async until(wanted: (message: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done === true) throw new Error('stdout ended');
      const message = JSON.parse(value) as Record<string, unknown>;
      if (wanted(message)) return message;
    }
  }

  async request<T>(method: string, params: unknown): Promise<T> {
    const id = this.send(method, params);
    const { result, error } = await this.until((message) => message['id'] === id && !('method' in message));
    if (error !== undefined) throw new Error(JSON.stringify(error));
    return result as T;
  }
}
