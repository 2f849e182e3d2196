/** Longer than this nothing else of the process waits for looks that follow one another. */
const BREATH_MS = 4;

let turnBegan: number | null = null;

/**
 * A look at what the disk knows of a name (`lstat`, `readlink`), made on the spot. Handed to a thread it costs ten times as
 * much, and a call takes dozens of them: that was most of what deciding about it cost. What may take long (reading a file,
 * listing a folder) is not for this. After many looks at a stretch, everything else in the process gets its turn.
 */
export async function promptly<T>(look: () => T): Promise<T> {
  if (turnBegan === null) {
    turnBegan = performance.now();
    setImmediate(() => (turnBegan = null));
  } else if (performance.now() - turnBegan > BREATH_MS) {
    await new Promise(setImmediate);
  }
  return look();
}

/** For what Node gives as `undefined` when nothing is there: an exception that it makes itself costs as much as four looks. */
export function foundOrThrow<T>(found: T | undefined): T {
  if (found === undefined) throw NOTHING_THERE;
  return found;
}

class NothingThere extends Error {
  readonly code = 'ENOENT';
}

const NOTHING_THERE = new NothingThere('there is nothing');
