import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '@wrongstack/contracts';
import { PRIVATE_FILE } from './private-files.js';
import type { ProcessIdentity } from './process-identity.js';
import { mayBeAlive, ownIdentity } from './process-identity.js';

/** Longer than any of the few file operations that it guards could take. */
const ABANDONED_MS = 10_000;

export type LockAttempt =
  { readonly taken: true; readonly lock: FileLock } | { readonly taken: false; readonly holder: LockHolder };

/** `pid` is null while the holder is still writing its name down. */
export interface LockHolder {
  readonly pid: number | null;
  readonly host: string | null;
}

/**
 * A lock file that names its process. One left behind by a process that has ended is recovered; a living holder is
 * never pushed aside. Synchronous, so that taking it is as short as it can be.
 */
export class FileLock {
  private constructor(
    private readonly file: string,
    private readonly token: string,
  ) {}

  static tryTake(file: string): LockAttempt {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const token = randomBytes(12).toString('hex');
      try {
        const content = JSON.stringify({ ...ownIdentity(), token });
        writeFileSync(file, content, { flag: 'wx', mode: PRIVATE_FILE });
        return { taken: true, lock: new FileLock(file, token) };
      } catch (thrown) {
        if (codeOf(thrown) !== 'EEXIST') throw thrown;
      }
      const holder = holderOf(file);
      if (holder !== 'gone' && !removeAbandoned(file)) return { taken: false, holder };
    }
    return { taken: false, holder: { pid: null, host: null } };
  }

  /** Waits for a holder that has only short work to do. */
  static async take(file: string, patienceMs: number): Promise<LockAttempt> {
    const until = Date.now() + patienceMs;
    for (;;) {
      const attempt = FileLock.tryTake(file);
      if (attempt.taken || Date.now() >= until) return attempt;
      await sleep(10 + Math.random() * 20);
    }
  }

  /** Only the own lock is removed: after a recovery the file may belong to somebody else. */
  release(): void {
    if (readLock(this.file)?.token === this.token) rmSync(this.file, { force: true });
  }
}

/** Whether a living process holds it. */
export function isLocked(file: string): boolean {
  const content = readLock(file);
  return content !== undefined && mayBeAlive(content);
}

function holderOf(file: string): LockHolder | 'gone' {
  const content = readLock(file);
  if (content) return { pid: content.pid, host: content.host };
  return ageOf(file) === undefined ? 'gone' : { pid: null, host: null };
}

/**
 * Removes the lock if its process has ended. A folder serves as a guard: without it, two recoverers could each remove
 * what they take for the old lock, and the second would remove the new lock of the first.
 */
function removeAbandoned(file: string): boolean {
  if (!isAbandoned(file)) return false;
  const guard = `${file}.recovery`;
  try {
    mkdirSync(guard);
  } catch {
    if ((ageOf(guard) ?? 0) > ABANDONED_MS) rmdirSync(guard);
    return false;
  }
  try {
    // Again, now that nobody else can change it.
    if (isAbandoned(file)) rmSync(file, { force: true });
    return true;
  } finally {
    rmdirSync(guard);
  }
}

function isAbandoned(file: string): boolean {
  const content = readLock(file);
  if (content) return !mayBeAlive(content);
  // Empty or torn: being written at this moment, or by a process that died over it.
  return (ageOf(file) ?? 0) > ABANDONED_MS;
}

function readLock(file: string): (ProcessIdentity & { readonly token: string }) | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value !== 'object' || value === null) return undefined;
    const { pid, host, started, token } = value as Record<string, unknown>;
    if (typeof pid !== 'number' || typeof host !== 'string' || typeof token !== 'string') return undefined;
    return { pid, host, token, started: typeof started === 'string' ? started : null };
  } catch {
    return undefined;
  }
}

function ageOf(file: string): number | undefined {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return undefined;
  }
}
