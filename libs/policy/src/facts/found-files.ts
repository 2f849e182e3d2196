import { posix } from 'node:path';
import type { CommandFacts } from '@wrongstack/contracts';
import type { FactFileSystem } from './fact-file-system.js';
import { matchesGlob } from './name-glob.js';

/** Which names a search hands on; null where nothing is known about them. */
export interface FoundNames {
  readonly pattern: string | null;
}

const RUNNERS = /^-(?:exec|ok)(?:dir)?$/;
/** With one of these a `-name` is not what every file that was found has in common. */
const ALTERNATIVES: ReadonlySet<string> = new Set(['-o', '-or', ',', '!', '-not', '-regex', '-iregex']);

/** What stands for `{}` in a command that `find` runs; null for any other command, and where no file is handed on. */
export function foundNames(command: CommandFacts, index: number): FoundNames | null {
  const run = command.commands[index];
  if (run === undefined || !run.argv.includes(null)) return null;
  if (!run.through.some((wrapper) => wrapper.startsWith('find -'))) return null;
  const search = searchOf(command, index);
  if (search === null || search.includes(null)) return { pattern: null };
  const words = search.filter((word) => word !== null);
  const condition = words.slice(
    0,
    words.findIndex((word) => RUNNERS.test(word)),
  );
  if (words.some((word) => ALTERNATIVES.has(word))) return { pattern: null };
  const at = condition.indexOf('-name');
  return { pattern: at < 0 ? null : (condition[at + 1] ?? null) };
}

/** The words of the `find` that a command stands in, other wrappers between them looked through. */
function searchOf(command: CommandFacts, index: number): readonly (string | null)[] | null {
  for (let at = index, steps = 0; steps < command.commands.length; steps += 1) {
    at = command.commands.findIndex(({ inner }) => inner.includes(at));
    const wrapper = command.commands[at];
    if (wrapper === undefined) return null;
    if (posix.basename(wrapper.argv[0] ?? '') === 'find') return wrapper.argv;
  }
  return null;
}

/** Enough to find the usual places; what lies deeper in a tree than this is found when it is named. */
const MAX_DEPTH = 3;
const MAX_NAMES = 2_000;

export interface Search {
  /** Why a file matters, or null. */
  readonly reasonOf: (path: string) => string | null;
  readonly skipped: ReadonlySet<string>;
  readonly names?: FoundNames;
}

/** The first file below a folder that matters, and why. */
export async function searchBelow(
  fs: FactFileSystem,
  folder: string,
  search: Search,
): Promise<string | null> {
  return walk(fs, folder, search, MAX_DEPTH, { left: MAX_NAMES });
}

async function walk(
  fs: FactFileSystem,
  folder: string,
  search: Search,
  depth: number,
  budget: { left: number },
): Promise<string | null> {
  if (depth === 0 || budget.left <= 0) return null;
  const names = await fs.list(folder, budget.left).catch(() => []);
  budget.left -= names.length;
  const pattern = search.names?.pattern ?? null;
  for (const name of names) {
    if (pattern !== null && !isNamed(pattern, name)) continue;
    const reason = search.reasonOf(posix.join(folder, name));
    if (reason !== null) return `${reason} below it: ${name}`;
  }
  for (const name of names) {
    // A name with a dot inside is a file nearly always; listing one fails and costs a system call.
    if (search.skipped.has(name) || /.\./.test(name)) continue;
    const found = await walk(fs, posix.join(folder, name), search, depth - 1, budget);
    if (found !== null) return found;
  }
  return null;
}

/** As `find` matches: a wildcard stands for a leading dot too, which it does not in a shell. */
function isNamed(pattern: string, name: string): boolean {
  const undotted = name.startsWith('.') ? [`x${name}`, `x${name.slice(1)}`] : [];
  return pattern.includes('\\') || [name, ...undotted].some((one) => matchesGlob(pattern, one));
}
