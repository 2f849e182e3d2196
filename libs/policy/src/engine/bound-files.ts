import { posix } from 'node:path';
import type { CommandFacts, Facts, PathFact } from '@wrongstack/contracts';
import type { FactFileSystem } from '../facts/fact-file-system.js';
import { resolvePath } from '../facts/resolve-path.js';

/** Interpreters whose file operand is the program that runs. */
const INTERPRETERS =
  /^(?:(?:ba|da|z|k|fi|a)?sh|python[\d.]*|node|deno|bun|tsx|ts-node|ruby|perl|php|lua|pwsh|Rscript|source|\.)$/;

/** More folders than these are not followed: each `cd` could double them. */
const MAX_FOLDERS = 16;

/**
 * Files whose bytes were part of what was shown or agreed to: those that the call changes, and scripts of the project
 * that it names as its command.
 */
export async function boundFiles(facts: Facts, fs: FactFileSystem): Promise<readonly string[]> {
  const known = facts.paths === 'unknown' ? [] : facts.paths;
  const bound = known
    .filter(
      (path) => path.exists && !path.device && (path.access === 'write' || isScriptOperand(path, facts)),
    )
    .flatMap(({ real }) => (real === null ? [] : [real]));
  for (const candidate of scriptPaths(facts)) {
    const found = await resolvePath(fs, candidate, '/');
    if (found.status === 'found' && found.kind === 'file') bound.push(found.real);
  }
  return [...new Set(bound)].sort();
}

function isScriptOperand(path: PathFact, facts: Facts): boolean {
  const { command } = facts;
  if (path.command === null || command === null || command === 'unknown') return false;
  const program = command.commands[path.command]?.argv[0] ?? null;
  return program !== null && INTERPRETERS.test(posix.basename(program));
}

/** Where `./x.sh` may lie: in the working folder, or where a `cd` before it may have led. */
function scriptPaths({ command, cwd, project }: Facts): readonly string[] {
  if (command === null || command === 'unknown' || cwd === null) return [];
  const folders = foldersOf(command, cwd);
  const paths = command.commands.flatMap(({ argv: [program] }) =>
    program?.includes('/') === true ? folders.map((folder) => posix.resolve(folder, program)) : [],
  );
  return paths.filter((path) => path.startsWith(`${project}/`));
}

function foldersOf(command: CommandFacts, cwd: string): readonly string[] {
  const folders = new Set([cwd]);
  for (const { argv } of command.commands) {
    if (argv[0] !== 'cd' && argv[0] !== 'pushd') continue;
    const target = argv.slice(1).find((word) => word?.startsWith('-') !== true);
    if (target === undefined || target === null) continue;
    for (const folder of [...folders]) folders.add(posix.resolve(folder, target));
    if (folders.size > MAX_FOLDERS) break;
  }
  return [...folders];
}
