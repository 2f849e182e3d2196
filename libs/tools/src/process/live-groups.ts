import { GroupGuard, type GuardedGroup } from './group-guard.js';
import type { ProcessGroup } from './process-group.js';
import { readEntry } from './process-table.js';

/**
 * Groups that are running now. When the program exits in the middle of a call, nobody is left to give them their grace:
 * they are killed at once, since an orphan would go on changing files that nobody watches any more. The guard does it where
 * the program is killed itself.
 */
const groups = new Map<number, GuardedGroup>();
const guard = new GroupGuard();
let listening = false;

/** Returns the function that takes the group off the list when it has ended. */
export function trackGroup(group: ProcessGroup): () => void {
  if (!listening) {
    listening = true;
    process.once('exit', killLiveGroups);
  }
  groups.set(group.leader, { ...group, started: readEntry(group.leader)?.started ?? '' });
  guard.watch(groups.values());
  return () => {
    groups.delete(group.leader);
    guard.watch(groups.values());
  };
}

export function killLiveGroups(): void {
  for (const leader of groups.keys()) {
    try {
      process.kill(-leader, 'SIGKILL');
    } catch {
      // It ended by itself.
    }
  }
}
