import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import {
  codeOf,
  type HostedProgram,
  type ProgramEnd,
  type ProgramToStart,
  WrongStackError,
} from '@wrongstack/contracts';

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** A child of this process: stdin at its end, no shell, a session of its own. */
export async function startOwn({ argv, cwd, env, name }: ProgramToStart): Promise<HostedProgram> {
  const [program, ...args] = argv;
  if (program === undefined || program === '')
    throw new WrongStackError('spawn.empty', 'no program was named');
  let child: Child;
  try {
    child = spawn(program, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      shell: false,
      windowsHide: true,
    });
  } catch (error) {
    throw spawnError(name ?? program, error);
  }
  const exit = new Promise<ProgramEnd>((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
  await started(child, name ?? program);
  return {
    // A started child has a pid.
    pid: child.pid ?? 0,
    stdout: child.stdout,
    stderr: child.stderr,
    exit,
    kill: () => void child.kill('SIGKILL'),
    close: () => Promise.resolve(),
  };
}

function started(child: Child, program: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(spawnError(program, error)));
  });
}

/** Why a program was not started. `cause` carries the system's code. */
export function spawnError(program: string, cause: unknown): WrongStackError {
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
