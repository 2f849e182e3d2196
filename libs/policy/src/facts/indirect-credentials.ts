import { posix } from 'node:path';
import type { CommandFacts, PathFact, SimpleCommand } from '@wrongstack/contracts';
import { credentialReason } from './credential-paths.js';
import type { FactFileSystem } from './fact-file-system.js';
import { mayName } from './credential-wildcards.js';

/**
 * Credentials that a command reads without naming them: `cat .e*` (the path of a wildcard is the folder above it) and
 * `grep -r x .` (which reads every file below). Their reads are marked, so that neither is a way around the credential
 * floor. `home` is a real path.
 */
export async function markIndirectCredentials(
  fs: FactFileSystem,
  paths: readonly PathFact[] | 'unknown',
  command: CommandFacts,
  home: string,
): Promise<readonly PathFact[] | 'unknown'> {
  if (paths === 'unknown') return paths;
  const marked: PathFact[] = [];
  for (const path of paths) {
    const reader = path.command === null ? undefined : command.commands[path.command];
    const reason =
      reader === undefined || path.access !== 'read' || path.credential !== null
        ? null
        : (mayName(reader.argv) ?? (await reasonBelow(fs, path, reader, home)));
    marked.push(reason === null ? path : { ...path, credential: reason });
  }
  return marked;
}

/** Programs that read everything below a folder, hidden files included, and what makes them do so. */
const RECURSIVE: Readonly<Record<string, (words: readonly string[]) => boolean>> = {
  grep: hasRecursion,
  egrep: hasRecursion,
  fgrep: hasRecursion,
  zgrep: hasRecursion,
  ugrep: () => true,
  rg: (words) => words.some((word) => /^(?:--hidden|--unrestricted|-[a-zA-Z]*[.uU][a-zA-Z.]*)$/.test(word)),
  ag: (words) => words.some((word) => /^(?:--hidden|--unrestricted|-[a-zA-Z]*u[a-zA-Z]*)$/.test(word)),
  diff: hasRecursion,
  cp: () => true,
  rsync: () => true,
  scp: () => true,
  tar: () => true,
  zip: () => true,
  '7z': () => true,
};

function hasRecursion(words: readonly string[]): boolean {
  return words.some((word) =>
    /^(?:--recursive|--dereference-recursive|--directories=recurse|-[a-zA-Z]*[rR][a-zA-Z]*)$/.test(word),
  );
}

/** Enough to find the usual places; a credential deeper in a tree than this is found when it is named. */
const MAX_DEPTH = 3;
const MAX_NAMES = 2_000;
/** Large, and made by installing rather than by people. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git', '.venv', 'target', 'dist']);

async function reasonBelow(
  fs: FactFileSystem,
  path: PathFact,
  reader: SimpleCommand,
  home: string,
): Promise<string | null> {
  const words = reader.argv.filter((word) => word !== null);
  const program = posix.basename(words[0] ?? '');
  const isRecursive = Object.hasOwn(RECURSIVE, program) && RECURSIVE[program]?.(words.slice(1)) === true;
  if (!isRecursive || path.real === null || !path.exists) return null;
  const budget = { left: MAX_NAMES };
  return search(fs, path.real, home, MAX_DEPTH, budget);
}

async function search(
  fs: FactFileSystem,
  folder: string,
  home: string,
  depth: number,
  budget: { left: number },
): Promise<string | null> {
  if (depth === 0 || budget.left <= 0) return null;
  const names = await fs.list(folder, budget.left).catch(() => []);
  budget.left -= names.length;
  for (const name of names) {
    const reason = credentialReason(posix.join(folder, name), home);
    if (reason !== null) return `${reason} below it: ${name}`;
  }
  for (const name of names) {
    // A name with a dot inside is a file nearly always; listing one fails and costs a system call.
    if (SKIPPED.has(name) || /.\./.test(name)) continue;
    const found = await search(fs, posix.join(folder, name), home, depth - 1, budget);
    if (found !== null) return found;
  }
  return null;
}
