import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, WrongStackError } from '@wrongstack/contracts';

const TRIES = 250;
const PAUSE_MS = 20;

/**
 * Run `work` while no other process holds the same lock file. A lock whose owner has died is taken over; one whose owner
 * lives is waited for, and then refused rather than broken.
 */
export async function withFileLock<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const mine = `${hostname()} ${process.pid} ${randomBytes(8).toString('hex')}`;
  await acquire(lock, mine);
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function acquire(lock: string, mine: string): Promise<void> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (await create(lock, mine)) return;
    const holder = await readFile(lock, 'utf8').catch(() => null);
    if (holder !== null && isDead(holder)) await discard(lock, holder);
    else await sleep(PAUSE_MS);
  }
  throw new WrongStackError('trust.locked', `${lock} is held by another wstack: try again, or remove it`);
}

async function create(lock: string, mine: string): Promise<boolean> {
  // Written beside and linked into place, so that nobody ever reads a lock without its owner.
  const draft = `${lock}.${mine.split(' ').at(-1) ?? ''}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(mine);
  } finally {
    await handle.close();
  }
  try {
    await link(draft, lock);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

function isDead(holder: string): boolean {
  const [host, pid] = holder.split(' ');
  // Another machine on a shared home folder: nothing can be known about its processes.
  if (host !== hostname() || pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

/** Two waiters may see the same dead lock: whoever moves away a live one by mistake puts it back. */
async function discard(lock: string, holder: string): Promise<void> {
  const aside = `${lock}.${randomBytes(8).toString('hex')}`;
  try {
    await rename(lock, aside);
    if ((await readFile(aside, 'utf8')) !== holder) await link(aside, lock);
  } catch {
    // Somebody else was faster: the next attempt sees what they left.
  } finally {
    await rm(aside, { force: true });
  }
}
