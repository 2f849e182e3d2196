import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from '@wrongstack/contracts';

/** Which process this is, so that its number alone cannot be mistaken for it after it was given to another. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Opaque; the same for the whole life of a process. Null where the platform does not tell. */
  readonly started: string | null;
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, host: hostname(), started: startOf(process.pid) };
}

/** False only when it is certain that the process has ended. */
export function mayBeAlive(identity: ProcessIdentity): boolean {
  // Processes of another machine or container cannot be seen from here.
  if (identity.host !== hostname()) return true;
  try {
    process.kill(identity.pid, 0);
  } catch (thrown) {
    return codeOf(thrown) !== 'ESRCH';
  }
  const started = startOf(identity.pid);
  return started === null || identity.started === null || started === identity.started;
}

/** Boot and start time in ticks (Linux). */
function startOf(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name, in parentheses, may hold blanks and parentheses itself; the state follows it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended: nothing of it runs any more.
    if (fields[0] === 'Z' || fields[0] === 'X') return 'ended';
    return `${boot}:${fields[19] ?? ''}`;
  } catch {
    return null;
  }
}
