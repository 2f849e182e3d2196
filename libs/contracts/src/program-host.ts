import type { Readable } from 'node:stream';

/** A program as it is to be started: the whole argument vector (a sandbox included) and the whole environment. */
export interface ProgramToStart {
  readonly argv: readonly string[];
  /** What messages call it where `argv` begins with something else. */
  readonly name?: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface ProgramEnd {
  /** Null when a signal ended it, or nobody can say how it ended. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program that runs. It leads a process group and a session of its own on this machine. */
export interface HostedProgram {
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Settles whatever becomes of the host, and never rejects. */
  readonly exit: Promise<ProgramEnd>;
  /** Ends it at once by the host's own means; `exit` settles then at the latest. */
  kill(): void;
  /** Nobody needs the host any more: the program and its family are gone. */
  close(): Promise<void>;
}

/**
 * Starts a command where a person watches it, in place of a child process of ours. Whoever calls it supervises the program
 * exactly as its own child: time limit, abort and leftovers stay with the caller.
 */
export interface ProgramHost {
  /** Null = it cannot run there and was not started: start it yourself. Rejects when `signal` aborts. */
  start(program: ProgramToStart, signal: AbortSignal): Promise<HostedProgram | null>;
}
