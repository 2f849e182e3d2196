import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Stack } from './stack.spec-support.js';

const SCRIPT = path.resolve(__dirname, '../../tools/own-api.mjs');

/** An API that one spec has for itself: it begins with an empty store, and may be away for a while. */
export class OwnApi {
  private constructor(
    private readonly process: ChildProcess,
    private readonly lines: AsyncIterator<string>,
    readonly stack: Pick<Stack, 'url' | 'tokens'>,
  ) {}

  /** `more`: of its environment. */
  static async start(more: Readonly<Record<string, string>> = {}): Promise<OwnApi> {
    const child = spawn(process.execPath, [SCRIPT, JSON.stringify(more)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const output: Interface = createInterface({ input: child.stdout });
    const lines = output[Symbol.asyncIterator]();
    const { value } = await lines.next();
    if (typeof value !== 'string') throw new Error('the API of this spec did not start');
    return new OwnApi(child, lines, JSON.parse(value) as Pick<Stack, 'url' | 'tokens'>);
  }

  /** Without a word to anybody. */
  kill(): Promise<void> {
    return this.#tell('kill');
  }

  /** At the same address, over the same store. */
  startAgain(): Promise<void> {
    return this.#tell('start');
  }

  async close(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.stdin?.end();
    await ended;
  }

  async #tell(what: string): Promise<void> {
    this.process.stdin?.write(`${what}\n`);
    const { value } = await this.lines.next();
    expect(value).toContain(what);
  }
}
