import { codeOf } from '@wrongstack/contracts';
import { processTable, startedWith, type ProcessEntry } from './process-table.js';

/** In the environment of every child: finds a descendant that left its group, its session and its parents. */
export const MARK_VARIABLE = 'WSTACK_SPAWN';

/** The group that a child leads (its pid), and the mark that all its descendants inherit. */
export interface ProcessGroup {
  readonly leader: number;
  readonly mark: string;
}

/** `family` = group and session; `everyone` = also who started a session of their own (a daemon). */
export type Reach = 'family' | 'everyone';

export async function livingMembers(group: ProcessGroup, reach: Reach): Promise<readonly number[]> {
  const table = await processTable();
  if (table === null) return groupAlive(group.leader) ? [-group.leader] : [];
  const members = new Set<number>();
  for (const entry of table) {
    if (entry.pid === process.pid) continue;
    if (entry.group === group.leader || entry.session === group.leader) members.add(entry.pid);
    else if (reach === 'everyone' && (await isMarked(entry, group.mark))) members.add(entry.pid);
  }
  if (reach === 'everyone') addDescendants(table, members);
  return [...members];
}

async function isMarked(entry: ProcessEntry, mark: string): Promise<boolean> {
  return startedWith(entry.pid, MARK_VARIABLE, mark);
}

/** A child may clear its environment, but while its parent lives the table still says whose it is. */
function addDescendants(table: readonly ProcessEntry[], members: Set<number>): void {
  let before: number;
  do {
    before = members.size;
    for (const entry of table) if (members.has(entry.parent)) members.add(entry.pid);
  } while (members.size > before);
}

/** TERM to all, up to `graceMs` to end, then KILL until nobody is left. Returns how many were still there at the start. */
export async function stopGroup(group: ProcessGroup, reach: Reach, graceMs: number): Promise<number> {
  const first = await livingMembers(group, reach);
  if (first.length === 0) return 0;
  signalAll(group, first, 'SIGTERM');
  if (await goneWithin(group, reach, graceMs)) return first.length;
  // A fork between listing and killing would slip through one round.
  for (let round = 0; round < 20; round += 1) {
    const left = await livingMembers(group, reach);
    if (left.length === 0) break;
    signalAll(group, left, 'SIGKILL');
    await pause(10 * (round + 1));
  }
  return first.length;
}

async function goneWithin(group: ProcessGroup, reach: Reach, graceMs: number): Promise<boolean> {
  for (let waited = 0, step = 10; waited < graceMs; waited += step, step = Math.min(step * 2, 100)) {
    await pause(step);
    if ((await livingMembers(group, reach)).length === 0) return true;
  }
  return false;
}

function signalAll(group: ProcessGroup, members: readonly number[], signal: NodeJS.Signals): void {
  if (groupAlive(group.leader)) send(-group.leader, signal);
  for (const pid of members) if (pid > 0) send(pid, signal);
}

function groupAlive(leader: number): boolean {
  try {
    process.kill(-leader, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone meanwhile, or not ours to stop: the next look at the table tells.
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
