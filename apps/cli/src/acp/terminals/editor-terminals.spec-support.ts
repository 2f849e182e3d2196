import { type ChildProcess, spawn } from 'node:child_process';
import type {
  CreateTerminalRequest,
  TerminalExitStatus,
  TerminalOutputResponse,
  WaitForTerminalExitResponse,
} from '@agentclientprotocol/sdk';

/** How an editor starts what it is told to: as it is, through a shell that reads the joined words, or not at all. */
export type TerminalStyle = 'direct' | 'shell' | 'refuses' | 'never-answers' | 'starts-nothing';

interface Terminal {
  readonly child: ChildProcess;
  readonly exit: Promise<TerminalExitStatus>;
  text: string;
  released: boolean;
}

/** The terminals of an editor: real processes with the editor's own environment, one process group each. */
export class EditorTerminals {
  readonly #all = new Map<string, Terminal>();
  readonly asked: CreateTerminalRequest[] = [];
  style: TerminalStyle = 'direct';

  constructor(private readonly environment: Readonly<Record<string, string>>) {}

  async create(request: CreateTerminalRequest): Promise<{ terminalId: string }> {
    this.asked.push(request);
    if (this.style === 'refuses') throw new Error('no terminals today');
    if (this.style === 'never-answers') return new Promise(() => undefined);
    const { command, args = [], cwd } = request;
    const words = this.style === 'starts-nothing' ? ['echo', 'no such shell'] : [command, ...args];
    const [program = '', ...rest] = this.style === 'shell' ? ['sh', '-c', words.join(' ')] : words;
    const child = spawn(program, rest, {
      cwd: cwd ?? '/',
      env: this.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const exit = new Promise<TerminalExitStatus>((resolve) => {
      child.once('close', (exitCode, signal) => resolve({ exitCode, signal }));
    });
    const id = `term-${this.#all.size + 1}`;
    const terminal: Terminal = { child, exit, text: '', released: false };
    const take = (bytes: Buffer): void => void (terminal.text += bytes.toString('utf8'));
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    this.#all.set(id, terminal);
    return { terminalId: id };
  }

  output(id: string): TerminalOutputResponse {
    return { output: this.#one(id).text, truncated: false };
  }

  wait(id: string): Promise<WaitForTerminalExitResponse> {
    return this.#one(id).exit;
  }

  kill(id: string): void {
    signal(this.#one(id).child, 'SIGTERM');
  }

  release(id: string): void {
    const terminal = this.#one(id);
    terminal.released = true;
    signal(terminal.child, 'SIGKILL');
  }

  /** What each terminal showed, whether it was given back, and how it ended. */
  async ends(): Promise<{ text: string; released: boolean; exitCode: number | null | undefined }[]> {
    return Promise.all(
      [...this.#all.values()].map(async (one) => {
        const { exitCode } = await one.exit;
        return { text: one.text, released: one.released, exitCode };
      }),
    );
  }

  /** The editor itself is gone, and its terminals with it. */
  killAll(): void {
    for (const { child } of this.#all.values()) signal(child, 'SIGKILL');
  }

  #one(id: string): Terminal {
    const terminal = this.#all.get(id);
    if (terminal === undefined) throw new Error(`there is no terminal ${id}`);
    return terminal;
  }
}

function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name);
  } catch {
    // It has ended.
  }
}
