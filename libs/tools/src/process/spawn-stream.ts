import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { WrongStackError, codeOf, type SpawnWrapper } from '@wrongstack/contracts';
import { trackGroup } from './live-groups.js';
import { MARK_VARIABLE, stopGroup, type ProcessGroup } from './process-group.js';

export interface SpawnOptions {
  readonly cwd: string;
  /** The whole environment of the child: see `childEnvironment`. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** After it the child is stopped and the outcome says so. Missing = no limit of its own. */
  readonly timeoutMs?: number;
  /** Between TERM and KILL; 2 s when missing. */
  readonly graceMs?: number;
  /** Must not throw: it is called from the pipe, where nobody can catch. */
  readonly onChunk: (chunk: OutputChunk) => void;
  readonly sandbox?: SpawnWrapper;
}

export interface OutputChunk {
  readonly stream: 'stdout' | 'stderr';
  readonly bytes: Buffer;
}

export interface SpawnOutcome {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  /** Processes that were left when the child ended by itself, and were stopped. */
  readonly leftovers: number;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

const GRACE_MS = 2000;
/** For the pipes to reach their end by themselves, before it is asked who still holds them open. */
const DRAIN_MS = 250;
/** For what is still in them when the family is gone; only a daemon that kept them makes this wait long. */
const LAST_DRAIN_MS = 1000;

/**
 * The one place that starts programs: an argument vector, never a shell; stdin at its end; a session of its own, so
 * that there is no terminal to ask on and everything it starts can be stopped with it. Resolves when the child and its
 * whole family are gone, however it ended; rejects only when it could not be started.
 */
export async function spawnStream(argv: readonly string[], options: SpawnOptions): Promise<SpawnOutcome> {
  options.signal.throwIfAborted();
  await requireFolder(options.cwd);
  const wrapped = options.sandbox === undefined ? argv : options.sandbox(argv, { cwd: options.cwd });
  const mark = randomBytes(12).toString('hex');
  const child = start(wrapped, options, mark);
  const ended = waitForEnd(child);
  child.stdout.on('data', (bytes: Buffer) => options.onChunk({ stream: 'stdout', bytes }));
  child.stderr.on('data', (bytes: Buffer) => options.onChunk({ stream: 'stderr', bytes }));
  await started(child, wrapped[0] ?? '');
  // A started child has a pid.
  const group: ProcessGroup = { leader: child.pid ?? 0, mark };
  const untrack = trackGroup(group.leader);
  return supervise(child, group, ended, options).finally(untrack);
}

function start(argv: readonly string[], options: SpawnOptions, mark: string): Child {
  const [program, ...args] = argv;
  if (program === undefined || program === '')
    throw new WrongStackError('spawn.empty', 'no program was named');
  try {
    return spawn(program, args, {
      cwd: options.cwd,
      env: { ...options.env, [MARK_VARIABLE]: mark },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      shell: false,
      windowsHide: true,
    });
  } catch (error) {
    throw spawnError(program, error);
  }
}

async function supervise(
  child: Child,
  group: ProcessGroup,
  ended: Promise<End>,
  options: SpawnOptions,
): Promise<SpawnOutcome> {
  let cause: 'timeout' | 'abort' | undefined;
  let stopping: Promise<number> | undefined;
  const stop = (why: 'timeout' | 'abort'): void => {
    cause ??= why;
    stopping ??= stopGroup(group, 'everyone', options.graceMs ?? GRACE_MS);
  };
  const onAbort = (): void => stop('abort');
  const timer =
    options.timeoutMs === undefined ? undefined : setTimeout(() => stop('timeout'), options.timeoutMs);
  options.signal.addEventListener('abort', onAbort, { once: true });
  if (options.signal.aborted) onAbort();
  try {
    const end = await ended;
    await drained(child, DRAIN_MS);
    // What is still there is the family that the child left behind; a real daemon of another session stays.
    const leftovers = cause === undefined ? await stopGroup(group, 'family', options.graceMs ?? GRACE_MS) : 0;
    if (stopping !== undefined) await stopping;
    await drained(child, LAST_DRAIN_MS);
    return { ...end, timedOut: cause === 'timeout', aborted: cause === 'abort', leftovers };
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', onAbort);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

interface End {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

function waitForEnd(child: Child): Promise<End> {
  return new Promise((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

function started(child: Child, program: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(spawnError(program, error)));
  });
}

/** Resolves when both pipes are at their end, or after `milliseconds`: a survivor may hold them open for ever. */
function drained(child: Child, milliseconds: number): Promise<void> {
  const open = [child.stdout, child.stderr].filter((stream) => !stream.readableEnded && !stream.destroyed);
  if (open.length === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    let left = open.length;
    for (const stream of open) {
      stream.once('close', () => {
        left -= 1;
        if (left > 0) return;
        clearTimeout(timer);
        resolve();
      });
    }
  });
}

/** A missing working folder and a missing program are the same ENOENT to spawn: told apart beforehand. */
async function requireFolder(cwd: string): Promise<void> {
  const entry = await stat(cwd).catch((error: unknown) => {
    throw new WrongStackError(
      'spawn.no_cwd',
      `the working folder ${cwd} cannot be used (${codeOf(error)}): name another cwd`,
      {
        cause: error,
      },
    );
  });
  if (!entry.isDirectory())
    throw new WrongStackError('spawn.no_cwd', `the working folder ${cwd} is no folder: name another cwd`);
}

function spawnError(program: string, cause: unknown): WrongStackError {
  const code = codeOf(cause);
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'it is not installed, or not on PATH',
    EACCES: 'it may not be executed',
    E2BIG: 'its arguments are too long',
    ERR_INVALID_ARG_VALUE: 'its arguments contain a NUL byte',
  };
  return new WrongStackError('spawn.failed', `${program} was not started: ${reasons[code] ?? code}`, {
    cause,
  });
}
