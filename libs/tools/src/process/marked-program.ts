import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import type { ProgramToStart } from '@wrongstack/contracts';

/**
 * A descendant may clear its environment, leave its group and its session, and lose its parents: `env -i setsid -f`. What
 * it cannot lose by accident are its resource limits. Linux has one that limits nothing (resident memory) and shows it
 * of every process to everybody. Its number, beyond any memory there is, says which call a process belongs to.
 *
 * The small shell sets the soft limit alone and becomes the program: pid and group stay.
 */
export function marked(program: ProgramToStart, mark: string): ProgramToStart {
  const [name = ''] = program.argv;
  // Whoever starts it names what is missing; behind a shell that would be exit code 127. An option would be the shell's own.
  if (process.platform !== 'linux' || name.startsWith('-') || !isRunnable(name, program)) return program;
  const script = `ulimit -S -m ${limitOf(mark)} 2>/dev/null; exec "$@"`;
  return { ...program, name, argv: ['/bin/sh', '-c', script, 'sh', ...program.argv] };
}

/** How /proc shows the limit of a program with this mark: in bytes, while the shell counts kilobytes. */
export function shownLimit(mark: string): string {
  return String(BigInt(limitOf(mark)) * 1024n);
}

/** 48 bits of the mark, above 2^51 KiB: more memory than any machine has, and still a number of 64 bits in bytes. */
function limitOf(mark: string): number {
  return 2 ** 51 + Number.parseInt(mark.slice(0, 12), 16);
}

/** As `execvp` looks for it. What cannot be told here counts as not runnable. */
function isRunnable(name: string, { cwd, env }: ProgramToStart): boolean {
  if (name === '' || name.includes('\0')) return false;
  if (name.includes('/')) return isProgram(resolve(cwd, name));
  return (env['PATH'] ?? '/bin:/usr/bin')
    .split(delimiter)
    .some((folder) => isProgram(resolve(cwd, folder, name)));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
