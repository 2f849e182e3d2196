import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { ProgramToStart } from '@wrongstack/contracts';
import { childMessage } from './terminal-messages.js';
import { type OutputListener, TerminalProgram } from './terminal-program.js';

/** The system's bound on the name of a socket, with room for the file's own name. */
const LONGEST_FOLDER = 90;

/**
 * The way back from one terminal: a socket in a private folder that answers exactly one caller, the one that was started
 * with our token, and hands it exactly one program. Closed before anybody has called, it can never start anything.
 */
export class TerminalLink {
  readonly #token = randomBytes(24).toString('hex');
  readonly #text: string;
  #settle: (program: TerminalProgram | null) => void = () => undefined;
  /** Who called, with the program in its hands; null once the link was closed before. */
  readonly caller = new Promise<TerminalProgram | null>((resolve) => (this.#settle = resolve));

  private constructor(
    private readonly server: Server,
    private readonly folder: string,
    program: ProgramToStart,
    private readonly onOutput: OutputListener,
  ) {
    this.#text = JSON.stringify(program);
    server.on('connection', (socket) => this.#greet(socket));
  }

  /** Null where no socket can be made: the system's temporary folder has too long a name, or cannot be written. */
  static async open(program: ProgramToStart, onOutput: OutputListener): Promise<TerminalLink | null> {
    const folder = await mkdtemp(path.join(tmpdir(), 'wstack-')).catch(() => null);
    if (folder === null) return null;
    const server = createServer();
    const listening = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      if (folder.length > LONGEST_FOLDER) resolve(false);
      else server.listen(socketIn(folder), () => resolve(true));
    });
    if (listening) return new TerminalLink(server, folder, program, onOutput);
    await rm(folder, { recursive: true, force: true });
    return null;
  }

  /** Arguments for `terminal-child.cjs`: no character that a shell would read, whatever the command is. */
  get words(): readonly string[] {
    return [socketIn(this.folder), this.#token, createHash('sha256').update(this.#text).digest('hex')];
  }

  /** Nobody may call from now on; a program that was handed over runs on. */
  async close(): Promise<void> {
    this.server.close();
    this.#settle(null);
    await rm(this.folder, { recursive: true, force: true });
  }

  #greet(socket: Socket): void {
    socket.on('error', () => undefined);
    const lines = createInterface({ input: socket });
    // It passes the socket's errors on; what an end means is decided by the socket's close.
    lines.on('error', () => undefined);
    lines.once('line', (line) => {
      const hello = childMessage(line);
      if (!this.server.listening || hello?.type !== 'hello' || !this.#isOurs(hello)) {
        socket.destroy();
        return;
      }
      // Handed out once, whoever else knows the words.
      this.server.close();
      const program = new TerminalProgram(socket, lines, this.onOutput);
      program.send({ type: 'start', program: this.#text });
      this.#settle(program);
    });
  }

  #isOurs({ token, pid }: { readonly token: string; readonly pid: number }): boolean {
    const [given, own] = [Buffer.from(token), Buffer.from(this.#token)];
    if (given.length !== own.length || !timingSafeEqual(given, own)) return false;
    if (process.platform !== 'linux') return true;
    // A process that cannot be seen from here could not be stopped from here either.
    try {
      return readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8')
        .split('\0')
        .includes(this.#token);
    } catch {
      return false;
    }
  }
}

function socketIn(folder: string): string {
  return path.join(folder, 's');
}
