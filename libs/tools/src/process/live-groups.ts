/**
 * Groups that are running now. When the program exits in the middle of a call, nobody is left to give them their grace:
 * they are killed at once, since an orphan would go on changing files that nobody watches any more.
 */
const leaders = new Set<number>();
let listening = false;

/** Returns the function that takes the group off the list when it has ended. */
export function trackGroup(leader: number): () => void {
  if (!listening) {
    listening = true;
    process.once('exit', killLiveGroups);
  }
  leaders.add(leader);
  return () => leaders.delete(leader);
}

export function killLiveGroups(): void {
  for (const leader of leaders) {
    try {
      process.kill(-leader, 'SIGKILL');
    } catch {
      // It ended by itself.
    }
  }
}
