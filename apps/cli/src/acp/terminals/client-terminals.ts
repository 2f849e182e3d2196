import {
  type CallId,
  type HostedProgram,
  type ProgramToStart,
  type RegisteredTool,
  type Tool,
  type ToolOptions,
  WrongStackError,
} from '@wrongstack/contracts';
import type { ToolRegistry } from '@wrongstack/kernel';
import { spawnError } from '@wrongstack/tools';
import { TERMINAL_CHILD } from '../../terminal-child.js';
import { escapeForPipe } from '../../terminal/escape-text.js';
import { aborted, ClientTerminal, type TerminalOwner } from './client-terminal.js';
import { TerminalLink } from './terminal-link.js';
import type { TerminalProgram } from './terminal-program.js';
import { TerminalScreen } from './terminal-screen.js';

export interface ClientTerminalsOptions extends TerminalOwner {
  /** The call's command runs in this terminal of the editor. Resolves when its card shows it. */
  readonly onOpened: (call: CallId, terminalId: string) => Promise<void>;
  /** It runs in a process of ours after all. */
  readonly onRefused: (call: CallId) => void;
  /** A terminal came up and did nothing: what it said. */
  readonly onFault: (text: string) => void;
  /** The command as its card has it. */
  readonly titleOf: (call: CallId) => string;
}

/** Commands that a person would type. Tools that read a program's report keep its streams to themselves. */
export const TERMINAL_TOOLS: ReadonlySet<string> = new Set(['bash', 'exec', 'git']);
/** Until the editor has its terminal, and until what runs in it has called back. */
const START_MS = 10_000;
const MOST_SAID = 300;
/**
 * Runs commands in the editor's own terminals. What is run is told to a small program of ours in the terminal and not to
 * the editor: so the environment, the sandbox, the process group, the time limit and the abort are those of any other run,
 * whatever the editor makes of arguments. Where that does not come up, the command runs as if there were no terminal, and
 * never in both places.
 */
export function useClientTerminals(tools: ToolRegistry, options: ClientTerminalsOptions): void {
  for (const name of TERMINAL_TOOLS) {
    if (tools.get(name) !== undefined) tools.wrap(name, (original) => inTerminal(original, options));
  }
}

function inTerminal(original: RegisteredTool, options: ClientTerminalsOptions): Tool {
  const { execute, executeStream } = original;
  const hosted = (opts: ToolOptions): ToolOptions => {
    const { callId: call, taskOutput } = opts;
    if (call === undefined) return opts;
    // What runs in the background outlives its card, and is shown by other means.
    if (taskOutput !== undefined) {
      options.onRefused(call);
      return opts;
    }
    const start = async (program: ProgramToStart, signal: AbortSignal): Promise<HostedProgram | null> => {
      const started = await new TerminalStarter(options, call, opts).start(program, signal);
      if (started !== null) return started;
      // Withdrawn while the terminal came up: then it does not run here either.
      signal.throwIfAborted();
      options.onRefused(call);
      return null;
    };
    return { ...opts, programHost: { start } };
  };
  return {
    ...original,
    execute: (input, ctx, opts) => execute(input, ctx, hosted(opts)),
    ...(executeStream && { executeStream: (input, ctx, opts) => executeStream(input, ctx, hosted(opts)) }),
  };
}

/** One command's way into a terminal. */
class TerminalStarter {
  readonly #screen: TerminalScreen;

  constructor(
    private readonly options: ClientTerminalsOptions,
    private readonly call: CallId,
    { scrubStream }: ToolOptions,
  ) {
    this.#screen = new TerminalScreen(options.titleOf(call), scrubStream);
  }

  async start(program: ProgramToStart, signal: AbortSignal): Promise<HostedProgram | null> {
    const link = await TerminalLink.open(program, this.#screen.take);
    if (link === null) return null;
    const until = AbortSignal.any([signal, AbortSignal.timeout(START_MS)]);
    try {
      const args = [TERMINAL_CHILD, ...link.words];
      const made = { command: process.execPath, args, cwd: program.cwd };
      const terminal = await ClientTerminal.create(this.options, made, until);
      if (terminal === null) return null;
      await this.options.onOpened(this.call, terminal.id);
      await Promise.race([link.caller, terminal.gone, aborted(until)]);
      await link.close();
      const running = await link.caller;
      if (running !== null) return await this.#supervised(running, terminal, program, until);
      await this.#giveUp(terminal);
      return null;
    } finally {
      await link.close();
    }
  }

  /** What the terminal had said is the only trace of why nothing came up in it. */
  async #giveUp(terminal: ClientTerminal): Promise<void> {
    terminal.kill();
    const said = escapeForPipe(await terminal.output())
      .trim()
      .slice(-MOST_SAID);
    this.options.onFault(
      `the editor’s terminal did not run the command, so it ran without${said === '' ? '' : `: ${said}`}`,
    );
    void terminal.release();
  }

  /** From here on the program has been handed over, and whatever happens it is not run a second time. */
  async #supervised(
    running: TerminalProgram,
    terminal: ClientTerminal,
    program: ProgramToStart,
    until: AbortSignal,
  ): Promise<HostedProgram> {
    this.#screen.on((text) => running.send({ type: 'show', text }));
    await Promise.race([running.running, aborted(until)]);
    if (running.pid === 0) {
      running.destroy();
      void terminal.release();
      throw notStarted(running.failure, program);
    }
    return {
      pid: running.pid,
      stdout: running.stdout,
      stderr: running.stderr,
      exit: running.exit,
      kill: () => {
        terminal.kill();
        running.destroy();
      },
      close: async () => {
        this.#screen.end();
        await running.finish();
        await terminal.release();
      },
    };
  }
}

function notStarted(code: string | null, { argv, name }: ProgramToStart): WrongStackError {
  if (code !== null) return spawnError(name ?? argv[0] ?? '', Object.assign(new Error(code), { code }));
  return new WrongStackError(
    'terminal.no_answer',
    'the editor’s terminal took the command and did not say that it started: look there before you call again',
  );
}
