import { codeOf } from '@wrongstack/contracts';
import { shownLimit } from './marked-program.js';
import { hasLimit, processTable, readEntry, startedWith, type ProcessEntry } from './process-table.js';

/**
 * In the environment of every child: finds a descendant that left its group, its session and its parents. One that cleared
 * its environment too still has the limit that its program began with.
 */
export const MARK_VARIABLE = 'WSTACK_SPAWN';

/** The group that a child leads (its pid), and the mark that all its descendants inherit. */
export interface ProcessGroup {
  readonly leader: number;
  readonly mark: string;
}

/** `family` = group and session; `everyone` = also who started a session of their own (a daemon). */
export type Reach = 'family' | 'everyone';

const KILL_ROUNDS = 20;

/**
 * TERM to all, up to `graceMs` to end, then KILL until nobody is left. Returns how many were there at the start.
 */
export async function stopGroup(group: ProcessGroup, reach: Reach, graceMs: number): Promise<number> {
  const first = livingMembers(group, reach);
  if (first.length === 0) return 0;
  signalAll(group, first, 'SIGTERM');
  if (await goneWithin(group, reach, first, graceMs)) return first.length;
  // A fork between listing and killing would slip through one round.
  for (let round = 1; round <= KILL_ROUNDS; round += 1) {
    const left = livingMembers(group, reach);
    if (left.length === 0) break;
    signalAll(group, left, 'SIGKILL');
    await pause(10 * round);
  }
  return first.length;
}

/** Without a process table the group itself stands for its members. */
function livingMembers(group: ProcessGroup, reach: Reach): readonly ProcessEntry[] {
  const table = processTable();
  if (table === null) return groupAlive(group.leader) ? [groupEntry(group)] : [];
  const members = new Map<number, ProcessEntry>();
  for (const entry of table) {
    if (entry.pid !== process.pid && isMember(entry, group, reach)) members.set(entry.pid, entry);
  }
  if (reach === 'everyone') addDescendants(table, members);
  return [...members.values()];
}

function isMember(entry: ProcessEntry, group: ProcessGroup, reach: Reach): boolean {
  if (entry.group === group.leader || entry.session === group.leader) return true;
  if (reach === 'family') return false;
  return startedWith(entry.pid, MARK_VARIABLE, group.mark) || hasLimit(entry.pid, shownLimit(group.mark));
}

/** A child may clear its environment, but while its parent lives the table still says whose it is. */
function addDescendants(table: readonly ProcessEntry[], members: Map<number, ProcessEntry>): void {
  let before: number;
  do {
    before = members.size;
    for (const entry of table) if (members.has(entry.parent)) members.set(entry.pid, entry);
  } while (members.size > before);
}

/** Watches the known members, which is cheap; looks for new ones only when those are gone. */
async function goneWithin(
  group: ProcessGroup,
  reach: Reach,
  first: readonly ProcessEntry[],
  graceMs: number,
): Promise<boolean> {
  const end = performance.now() + graceMs;
  let known = first;
  for (let step = 5; ; step = Math.min(step * 2, 100)) {
    known = known.filter((entry) => isAlive(entry, group));
    if (known.length === 0) {
      known = livingMembers(group, reach);
      if (known.length === 0) return true;
      signalAll(group, known, 'SIGTERM');
    }
    const left = end - performance.now();
    if (left <= 0) return false;
    await pause(Math.min(step, left));
  }
}

function isAlive(entry: ProcessEntry, group: ProcessGroup): boolean {
  if (entry.started === '') return groupAlive(group.leader);
  return readEntry(entry.pid)?.started === entry.started;
}

function signalAll(group: ProcessGroup, members: readonly ProcessEntry[], signal: NodeJS.Signals): void {
  if (groupAlive(group.leader)) send(-group.leader, signal);
  // Once each: many programs take a second TERM for impatience and end without their clean-up.
  for (const member of members) if (member.group !== group.leader) send(member.pid, signal);
}

function groupEntry({ leader }: ProcessGroup): ProcessEntry {
  return { pid: leader, parent: 0, group: leader, session: leader, started: '' };
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
