import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { WrongStackError, codeOf } from '@wrongstack/contracts';

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Boot and start time: a process number alone may have been given to another since. */
  readonly started: string | null;
  readonly token: string;
}

/** Far longer than the few operations under a lock take, and than a lock needs to get its content. */
const ABANDONED_MS = 10_000;
const PATIENCE_MS = 5_000;

/**
 * Runs `work` while no other process does the same for this file. A lock whose process has ended is recovered; a living
 * one is waited for and never pushed aside.
 */
export async function withFileLock<T>(
  lock: string,
  options: { readonly signal: AbortSignal; readonly patienceMs?: number },
  work: () => Promise<T>,
): Promise<T> {
  const token = randomBytes(12).toString('hex');
  const until = Date.now() + (options.patienceMs ?? PATIENCE_MS);
  while (!tryTake(lock, token)) {
    options.signal.throwIfAborted();
    if (Date.now() >= until) {
      const pid = holderOf(lock)?.pid;
      const who = pid === undefined ? 'another process' : `process ${pid}`;
      throw new WrongStackError('memory.busy', `${lock} is held by ${who}: try again when it is done`);
    }
    await sleep(5 + Math.random() * 15, undefined, { signal: options.signal }).catch(() => undefined);
  }
  try {
    return await work();
  } finally {
    // After a recovery the file may be somebody else's.
    if (holderOf(lock)?.token === token) rmSync(lock, { force: true });
  }
}

function tryTake(lock: string, token: string): boolean {
  const holder: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid), token };
  try {
    writeFileSync(lock, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  recover(lock);
  return false;
}

/**
 * Removes the lock of a process that has ended. The folder makes the second look and the removal one step: of two
 * recoverers the later one would otherwise remove the lock that the earlier one has just taken.
 */
function recover(lock: string): void {
  if (!isAbandoned(lock)) return;
  const guard = `${lock}.recovery`;
  try {
    mkdirSync(guard);
  } catch {
    if ((ageOf(guard) ?? 0) > ABANDONED_MS) rmSync(guard, { recursive: true, force: true });
    return;
  }
  try {
    if (isAbandoned(lock)) rmSync(lock, { force: true });
  } finally {
    rmdirSync(guard);
  }
}

function isAbandoned(lock: string): boolean {
  const holder = holderOf(lock);
  // Without content it is being written right now, or its writer died over it.
  return holder === undefined ? (ageOf(lock) ?? 0) > ABANDONED_MS : !mayBeAlive(holder);
}

function mayBeAlive(holder: Holder): boolean {
  // Processes of another machine that shares the home folder cannot be seen from here.
  if (holder.host !== hostname()) return true;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
  const started = startOf(holder.pid);
  return started === null || holder.started === null || started === holder.started;
}

function holderOf(lock: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(lock, 'utf8'));
    if (typeof value !== 'object' || value === null) return undefined;
    const { pid, host, started, token } = value as Readonly<Record<string, unknown>>;
    if (typeof pid !== 'number' || typeof host !== 'string' || typeof token !== 'string') return undefined;
    return { pid, host, token, started: typeof started === 'string' ? started : null };
  } catch {
    return undefined;
  }
}

/** Linux tells; elsewhere the number has to do. */
function startOf(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name, in parentheses, may hold blanks itself.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'ended' : `${boot}:${fields[19] ?? ''}`;
  } catch {
    return null;
  }
}

function ageOf(path: string): number | undefined {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return undefined;
  }
}
