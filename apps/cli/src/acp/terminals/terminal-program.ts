import type { Socket } from 'node:net';
import { constants } from 'node:os';
import { PassThrough } from 'node:stream';
import type { Interface } from 'node:readline';
import type { ProgramEnd } from '@wrongstack/contracts';
import { type AgentMessage, type ChildMessage, childMessage } from './terminal-messages.js';

/** A program in a terminal that somebody has stopped answers nobody. */
const FINISH_MS = 3000;

export type OutputListener = (stream: 'stdout' | 'stderr', bytes: Buffer) => void;

/** Our end of the program that runs in a terminal: its output as it comes, and how it ended. */
export class TerminalProgram {
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  #ended: (end: ProgramEnd) => void = () => undefined;
  readonly exit = new Promise<ProgramEnd>((resolve) => (this.#ended = resolve));
  #began: () => void = () => undefined;
  /** It runs, or it never will: see `failure`. */
  readonly running = new Promise<void>((resolve) => (this.#began = resolve));
  pid = 0;
  /** The system's code where it could not be started. */
  failure: string | null = null;
  #status = 0;

  constructor(
    private readonly socket: Socket,
    lines: Interface,
    private readonly onOutput: OutputListener,
  ) {
    lines.on('line', (line) => {
      const message = childMessage(line);
      if (message !== null) this.#take(message);
    });
    // Also when the editor ends its terminal without a word.
    socket.once('close', () => this.#over({ exitCode: null, signal: 'SIGKILL' }, 'ECONNRESET'));
  }

  send(message: AgentMessage): void {
    if (this.socket.writable) this.socket.write(`${JSON.stringify(message)}\n`);
  }

  /** Lets the terminal end with the program's own status, which is what the editor shows. */
  async finish(): Promise<void> {
    this.send({ type: 'end', status: this.#status });
    this.socket.end();
    if (this.socket.destroyed) return;
    const closed = new Promise<void>((resolve) => this.socket.once('close', resolve));
    const late = setTimeout(() => this.socket.destroy(), FINISH_MS);
    await closed;
    clearTimeout(late);
  }

  destroy(): void {
    this.socket.destroy();
  }

  #take(message: ChildMessage): void {
    switch (message.type) {
      case 'hello':
        return;
      case 'started':
        this.pid = message.pid;
        return this.#began();
      case 'failed':
        return this.#over({ exitCode: null, signal: null }, message.code);
      case 'stdout':
      case 'stderr':
        return this.#output(message.type, Buffer.from(message.bytes, 'base64'));
      case 'stdout-end':
        this.stdout.end();
        return;
      case 'stderr-end':
        this.stderr.end();
        return;
      case 'exit':
        this.#status = message.exitCode ?? 128 + constants.signals[message.signal ?? 'SIGKILL'];
        this.#ended({ exitCode: message.exitCode, signal: message.signal });
    }
  }

  #output(stream: 'stdout' | 'stderr', bytes: Buffer): void {
    this.onOutput(stream, bytes);
    this[stream].write(bytes);
  }

  #over(end: ProgramEnd, code: string): void {
    if (this.pid === 0) this.failure ??= code;
    this.#began();
    this.#ended(end);
    this.stdout.end();
    this.stderr.end();
  }
}
