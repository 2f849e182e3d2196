import { readFile, readdir } from 'node:fs/promises';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Clock ticks since boot: tells a process from a later one with the same pid. */
  readonly started: string;
}

/** All living processes (zombies are dead), from /proc. Null where there is none. */
export async function processTable(): Promise<readonly ProcessEntry[] | null> {
  if (process.platform !== 'linux') return null;
  let names: string[];
  try {
    names = await readdir('/proc');
  } catch {
    return null;
  }
  const entries = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(readEntry));
  return entries.filter((entry) => entry !== null);
}

async function readEntry(pid: string): Promise<ProcessEntry | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null);
  if (stat === null) return null;
  // The name is in parentheses and may hold anything, parentheses included: fields start behind the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  if (state === 'Z' || state === 'X') return null;
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    started: fields[19] ?? '',
  };
}

/** Whether a process was started with this variable in its environment. False when that cannot be seen. */
export async function startedWith(pid: number, name: string, value: string): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
  return environment.split('\0').includes(`${name}=${value}`);
}
