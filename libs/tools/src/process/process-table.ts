import { readFileSync, readdirSync } from 'node:fs';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Clock ticks since boot: tells a process from a later one with the same pid. */
  readonly started: string;
}

// Read synchronously: /proc is memory, a few microseconds a file, and the pool of asynchronous reads is slower by far
// when the machine is busy, which is when processes have to be stopped.

/** All living processes (zombies are dead), from /proc. Null where there is none. */
export function processTable(): readonly ProcessEntry[] | null {
  if (process.platform !== 'linux') return null;
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => readEntry(Number(name)))
      .filter((entry) => entry !== null);
  } catch {
    return null;
  }
}

export function readEntry(pid: number): ProcessEntry | null {
  const stat = readProc(pid, 'stat');
  if (stat === null) return null;
  // The name is in parentheses and may hold anything, parentheses included: fields start behind the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  if (state === 'Z' || state === 'X') return null;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    started: fields[19] ?? '',
  };
}

/** Whether a process was started with this variable in its environment. False when that cannot be seen. */
export function startedWith(pid: number, name: string, value: string): boolean {
  return readProc(pid, 'environ')?.split('\0').includes(`${name}=${value}`) ?? false;
}

/** Whether one of the soft limits of a process is this number, as it is shown. */
export function hasLimit(pid: number, shown: string): boolean {
  return readProc(pid, 'limits')?.includes(` ${shown} `) ?? false;
}

function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return null;
  }
}
