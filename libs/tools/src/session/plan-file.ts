import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { WrongStackError, codeOf } from '@wrongstack/contracts';

/** Where plans are kept, and whose: all that a plan's file is named by, beside its title. */
export interface PlanPlace {
  readonly dataDir: string;
  readonly sessionId: string;
}

export interface StoredPlan {
  readonly path: string;
  readonly content: string;
}

const MOST_BYTES = 1024 * 1024;
const LONGEST_SLUG = 40;

/** One file for each title of a session. No part of the path is what the model wrote: a title only becomes plain words. */
export function planPath(place: PlanPlace, title: string): string {
  return join(plansFolder(place), `${prefixOf(place)}${slugOf(title)}.md`);
}

export async function readPlan(path: string): Promise<string | null> {
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found = await handle.stat();
      if (!found.isFile() || found.size > MOST_BYTES) {
        throw new WrongStackError('plan.failed', `${path} is no plan of this tool: move it away`);
      }
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error instanceof WrongStackError ? error : failed(path, 'read', error);
  }
}

/** The plan of this session that was written last, also by an earlier process. */
export async function latestPlan(place: PlanPlace): Promise<StoredPlan | null> {
  const folder = plansFolder(place);
  const names = await readdir(folder).catch(() => []);
  const mine = names.filter((name) => name.startsWith(prefixOf(place)) && name.endsWith('.md'));
  let latest: { readonly path: string; readonly at: bigint } | null = null;
  for (const name of mine) {
    const path = join(folder, name);
    const at = await stat(path, { bigint: true }).then(
      ({ mtimeNs }) => mtimeNs,
      () => -1n,
    );
    if (latest === null || at > latest.at) latest = { path, at };
  }
  if (latest === null) return null;
  const content = await readPlan(latest.path);
  return content === null ? null : { path: latest.path, content };
}

/** All or nothing, and private: a file beside it, synced, then renamed over it. */
export async function writePlan(path: string, content: string): Promise<void> {
  const beside = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const handle = await open(beside, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, path);
  } catch (error) {
    await unlink(beside).catch(() => undefined);
    throw failed(path, 'written', error);
  }
}

function plansFolder({ dataDir }: PlanPlace): string {
  return join(dataDir, 'plans');
}

/** Session ids are plain words; one that is not (a host's own) is hashed, so that it cannot lead anywhere. */
function prefixOf({ sessionId }: PlanPlace): string {
  const plain = /^[A-Za-z0-9_-]{1,64}$/.test(sessionId);
  return `${plain ? sessionId : createHash('sha256').update(sessionId).digest('hex').slice(0, 16)}.`;
}

function slugOf(title: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const slug = (words ?? []).join('-').slice(0, LONGEST_SLUG).replace(/-+$/, '');
  // Titles in other scripts still tell plans apart.
  return slug === '' ? `plan-${createHash('sha256').update(title).digest('hex').slice(0, 8)}` : slug;
}

function failed(path: string, what: 'read' | 'written', cause: unknown): WrongStackError {
  const why = codeOf(cause) === 'ENOSPC' ? 'the disk is full' : codeOf(cause);
  return new WrongStackError('plan.failed', `${path} cannot be ${what}: ${why}`, { cause });
}
