import { posix } from 'node:path';
import type { CommandFacts, PathFact } from '@wrongstack/contracts';
import { credentialReason } from './credential-paths.js';
import type { FactFileSystem } from './fact-file-system.js';
import { mayName } from './credential-wildcards.js';
import { foundNames, searchBelow } from './found-files.js';
import { protectedReason } from './protected-paths.js';

/**
 * Files that a command touches without naming them: `cat .e*` (the path of a wildcard is the folder above it),
 * `grep -r x .` (which reads every file below) and `find . -exec cat {} +`. They are marked, so that none of these is a
 * way around the floors of credentials and protected files. `home` is a real path.
 */
export async function markUnnamedFiles(
  fs: FactFileSystem,
  paths: readonly PathFact[] | 'unknown',
  command: CommandFacts,
  home: string,
): Promise<readonly PathFact[] | 'unknown'> {
  if (paths === 'unknown') return paths;
  const marked: PathFact[] = [];
  for (const path of paths) {
    if (path.access === 'write') {
      const reason = path.protected ?? (await protectedBelow(fs, path, command));
      marked.push({
        ...path,
        ...(isSearched(path, command) && { recursive: true }),
        ...(reason !== path.protected && { protected: reason }),
      });
      continue;
    }
    const reader = path.command === null ? undefined : command.commands[path.command];
    const reason =
      reader === undefined || path.credential !== null
        ? null
        : (mayName(reader.argv) ?? (await credentialBelow(fs, path, command, home)));
    marked.push({
      ...path,
      // `find . -exec cat {} +`: the path is the folder, and what is read are the files that the search finds below.
      ...(isSearched(path, command) && { recursive: true }),
      ...(reason !== null && { credential: reason }),
    });
  }
  return marked;
}

/** `find . -exec rm {} +`: the path is the folder, and what is meant are files below it. */
function isSearched(path: PathFact, command: CommandFacts): boolean {
  return path.command !== null && path.real !== null && foundNames(command, path.command) !== null;
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
  git: (words) => {
    const verb = words.find((word) => /^(?:add|stage|stash)$/.test(word));
    const ignored = verb === 'stash' ? /^(?:--all|-[a-z]*a[a-z]*)$/ : /^(?:--force|-[a-zA-Z]*f[a-zA-Z]*)$/;
    return verb !== undefined && words.some((word) => ignored.test(word));
  },
};

function hasRecursion(words: readonly string[]): boolean {
  return words.some((word) =>
    /^(?:--recursive|--dereference-recursive|--directories=recurse|-[a-zA-Z]*[rR][a-zA-Z]*)$/.test(word),
  );
}

/** Large, and made by installing rather than by people. */
const INSTALLED: ReadonlySet<string> = new Set(['node_modules', '.venv', 'target', 'dist']);
const SKIPPED: ReadonlySet<string> = new Set([...INSTALLED, '.git']);

async function credentialBelow(
  fs: FactFileSystem,
  path: PathFact,
  command: CommandFacts,
  home: string,
): Promise<string | null> {
  if (path.real === null || !path.exists || path.command === null) return null;
  const search = { reasonOf: (file: string) => credentialReason(file, home), skipped: SKIPPED };
  const words = (command.commands[path.command]?.argv ?? []).filter((word) => word !== null);
  const program = posix.basename(words[0] ?? '');
  if (Object.hasOwn(RECURSIVE, program) && RECURSIVE[program]?.(words.slice(1)) === true) {
    return searchBelow(fs, path.real, search);
  }
  const names = foundNames(command, path.command);
  return names === null ? null : searchBelow(fs, path.real, { ...search, names });
}

/** `find . -name config -exec tee {} +` writes what the search finds: a protected file, if there is one. */
async function protectedBelow(
  fs: FactFileSystem,
  path: PathFact,
  command: CommandFacts,
): Promise<string | null> {
  const names = path.command === null ? null : foundNames(command, path.command);
  if (names === null || path.real === null || !path.exists) return null;
  return searchBelow(fs, path.real, { reasonOf: protectedReason, skipped: INSTALLED, names });
}
