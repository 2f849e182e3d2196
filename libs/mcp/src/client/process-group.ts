import { type ChildProcess, spawn } from 'node:child_process';
import { codeOf } from '@wrongstack/contracts';

/** Groups that are alive, so that not even process.exit() leaves one behind. */
const groups = new Set<number>();
let watching = false;

const ASK_MS = 600;
const TERM_MS = 900;
const POLL_MS = 25;

export interface GroupOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** A child that leads a process group of its own: whatever it starts (npx, sh) ends with it. */
export function spawnGroup({ command, args, env, cwd }: GroupOptions): ChildProcess {
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
    shell: false,
  });
  const { pid } = child;
  if (pid !== undefined) {
    groups.add(pid);
    if (!watching) {
      watching = true;
      process.on('exit', () => {
        for (const group of groups) signalGroup(group, 'SIGKILL');
      });
    }
    // What a launcher leaves behind when it dies by itself has nobody to talk to any more.
    child.once('exit', () => {
      signalGroup(pid, 'SIGKILL');
      groups.delete(pid);
    });
  }
  return child;
}

/** End a group: its input closes, then TERM, then KILL. Resolves when nothing of it is alive, in under two seconds. */
export async function endGroup(child: ChildProcess): Promise<void> {
  const { pid } = child;
  child.stdin?.end();
  if (pid === undefined) return;
  if (await gone(pid, ASK_MS)) return;
  signalGroup(pid, 'SIGTERM');
  if (await gone(pid, TERM_MS)) return;
  signalGroup(pid, 'SIGKILL');
  await gone(pid, ASK_MS);
}

async function gone(group: number, within: number): Promise<boolean> {
  for (let waited = 0; waited <= within; waited += POLL_MS) {
    if (!isAlive(group)) return true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return !isAlive(group);
}

export function isAlive(group: number): boolean {
  try {
    process.kill(process.platform === 'win32' ? group : -group, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? group : -group, signal);
  } catch {
    // Nobody is left.
  }
}
