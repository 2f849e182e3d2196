import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import {
  WrongStackError,
  codeOf,
  type HostedProgram,
  type ProgramHost,
  type SpawnWrapper,
} from '@wrongstack/contracts';
import { trackGroup } from './live-groups.js';
import { marked } from './marked-program.js';
import { MARK_VARIABLE, stopGroup, type ProcessGroup } from './process-group.js';
import { startOwn } from './started-program.js';

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
  /** Whether more of its output can be taken: null, or when. A program that prints faster is slowed down like at any pipe. */
  readonly room?: () => Promise<void> | null;
  readonly sandbox?: SpawnWrapper;
  /** Where it shall run instead of in a child of ours, if it can. Everything else stays as it is. */
  readonly host?: ProgramHost;
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
  const env = { ...options.env, [MARK_VARIABLE]: mark };
  const program = marked({ argv: wrapped, cwd: options.cwd, env }, mark);
  const child = (await options.host?.start(program, options.signal)) ?? (await startOwn(program));
  listen(child, options);
  const group: ProcessGroup = { leader: child.pid, mark };
  const untrack = trackGroup(group);
  return supervise(child, group, options).finally(untrack);
}

function listen(child: HostedProgram, { onChunk, room }: SpawnOptions): void {
  let ended = false;
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (bytes: Buffer) => {
      onChunk({ stream, bytes });
      // What is still in the pipes of a program that has ended is little, and nobody waits for it any longer.
      const free = ended ? null : (room?.() ?? null);
      if (free === null) return;
      child[stream].pause();
      void free.finally(() => child[stream].resume());
    });
  }
  void child.exit.then(() => {
    ended = true;
    child.stdout.resume();
    child.stderr.resume();
  });
}

async function supervise(
  child: HostedProgram,
  group: ProcessGroup,
  options: SpawnOptions,
): Promise<SpawnOutcome> {
  let cause: 'timeout' | 'abort' | undefined;
  let stopping: Promise<number> | undefined;
  const stop = (why: 'timeout' | 'abort'): void => {
    cause ??= why;
    stopping ??= stopGroup(group, 'everyone', options.graceMs ?? GRACE_MS).finally(() => child.kill());
  };
  const onAbort = (): void => stop('abort');
  const timer =
    options.timeoutMs === undefined ? undefined : setTimeout(() => stop('timeout'), options.timeoutMs);
  options.signal.addEventListener('abort', onAbort, { once: true });
  if (options.signal.aborted) onAbort();
  try {
    const end = await child.exit;
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
    await child.close();
  }
}

/** Resolves when both pipes are at their end, or after `milliseconds`: a survivor may hold them open for ever. */
function drained(child: HostedProgram, milliseconds: number): Promise<void> {
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
