import type { ChildProcess } from 'node:child_process';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { endGroup, type GroupOptions, spawnGroup } from './process-group.js';

const MOST_STDERR = 4_096;

export interface MessageBuffer {
  append(chunk: Buffer): void;
  readMessage(): JSONRPCMessage | null;
}

/**
 * The SDK's stdio transport, but for a process group: the SDK's own ends the launcher alone and hands the child its own
 * choice of our environment.
 */
export class GroupTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  #child: ChildProcess | null = null;
  #ended: Promise<void> = Promise.resolve();
  #stderr = '';
  #overflowed = false;

  constructor(
    private readonly options: GroupOptions,
    private readonly buffer: MessageBuffer,
  ) {}

  /** The end of what it said on stderr, for messages. */
  get lastWords(): string {
    return this.#stderr.trim();
  }

  get overflowed(): boolean {
    return this.#overflowed;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const child = spawnGroup(this.options);
      this.#child = child;
      child.once('spawn', resolve);
      child.once('error', (error) => {
        reject(error);
        this.onerror?.(error);
      });
      child.once('close', () => this.onclose?.());
      child.stdin?.on('error', (error) => this.onerror?.(error));
      child.stdout?.on('error', (error) => this.onerror?.(error));
      child.stdout?.on('data', (chunk: Buffer) => this.#read(chunk));
      child.stderr?.on('data', (chunk: Buffer) => {
        this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-MOST_STDERR);
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    return new Promise((resolve, reject) => {
      if (!stdin?.writable) {
        reject(new Error('the process has ended'));
        return;
      }
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Whoever closes waits for the end, also where the SDK has begun to close already without waiting. */
  close(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child !== null) this.#ended = endGroup(child);
    return this.#ended;
  }

  /** Whoever hears a message may close this. */
  #isOpen(): boolean {
    return this.#child !== null;
  }

  #read(chunk: Buffer): void {
    // What it says while it ends is nobody's: read, so that it can end, and dropped.
    if (!this.#isOpen()) return;
    try {
      this.buffer.append(chunk);
    } catch (error) {
      // More than a message may hold, without a line end: nothing that follows can be understood.
      this.#overflowed = true;
      this.onerror?.(error as Error);
      void this.close();
      return;
    }
    while (this.#isOpen()) {
      try {
        const message = this.buffer.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        // A line that is no message: some servers print to stdout while they start.
        this.onerror?.(error as Error);
      }
    }
  }
}
