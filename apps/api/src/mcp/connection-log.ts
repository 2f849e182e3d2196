import type { SessionEntry } from '@wrongstack/contracts';

const MOST_CHARACTERS = 1024 * 1024;

/** What happened on one connection, for its client alone: the newest megabyte, and gone with the connection. The audit chain is what stays. */
export class ConnectionLog {
  #lines: string[] = [];
  #size = 0;

  async append(entry: SessionEntry): Promise<void> {
    const line = `${JSON.stringify(entry)}\n`;
    this.#lines.push(line);
    this.#size += line.length;
    while (this.#size > MOST_CHARACTERS && this.#lines.length > 1)
      this.#size -= this.#lines.shift()?.length ?? 0;
  }

  text(): string {
    return this.#lines.join('');
  }
}
