import { isAbsolute } from 'node:path';
import type { Runner, RunRequest } from './runner.js';

/** A path as an operand: in front of it stands `./` or `/`, so no program takes it for an option. Pure. */
export function operand(path: string): string {
  return isAbsolute(path) || path.startsWith('./') ? path : `./${path}`;
}

/**
 * What a call claims to run. Which program a project uses is only known from its files, and a claim must not look at
 * files; so a call that names its runner claims exactly that argument vector, and a call that does not claims every
 * command that it could come to, one after another. A rule against one of them then holds for the call, and a rule that
 * allows must allow them all. One unknown command would be no better: it would meet every denial of any command.
 */
export function claimedCommand(
  runners: readonly Runner[],
  runnerId: string | undefined,
  request: RunRequest,
): string | readonly string[] {
  const named = runners.filter((runner) => runner.id === runnerId);
  const possible = (named.length > 0 ? named : runners).flatMap((runner) => {
    const argv = runner.argv(request);
    return argv === null ? [] : [argv];
  });
  const [only] = possible;
  if (only !== undefined && possible.length === 1) return only;
  return possible.map((argv) => argv.map(quote).join(' ')).join('; ');
}

/** For the shell grammar that reads claims; no shell ever gets it. */
function quote(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`;
}
