import { names } from '../names.js';
import { hasOption, scanOptions } from '../option-scan.js';
import type { ShellWord } from '../shell-word.js';
import { opaqueRun, ownCover, type InnerRun, type ProgramCall, type Unwrapped } from './unwrap.js';

/** Settings of bash under which a text still means what it means without them. */
const HARMLESS = new Set(
  names('nullglob failglob inherit_errexit checkwinsize histappend cmdhist globskipdots huponexit xpg_echo'),
);

/** `shopt -s dotglob` makes `*` match `.git`, `nocaseglob` makes `.GIT*` match it, and aliases rename programs. */
export function unwrapShopt({ args }: ProgramCall): Unwrapped | null {
  const scanned = scanOptions(args);
  if (!hasOption(scanned, '-s') && !scanned.dynamic) return null;
  return ownCover('shopt', ...scanned.operands.flatMap(settingRun));
}

/** `bash -O dotglob -c …`: the words behind each such option. */
export function settingRuns(args: readonly ShellWord[]): readonly InnerRun[] {
  const runs: InnerRun[] = [];
  args.forEach((word, index) => {
    const name = args[index + 1];
    if (/^-[a-zA-Z]*O/.test(word.value ?? '') && name !== undefined) runs.push(...settingRun(name));
  });
  return runs;
}

function settingRun(word: ShellWord): readonly InnerRun[] {
  if (word.value !== null && HARMLESS.has(word.value)) return [];
  return [opaqueRun(`the setting ${word.text} changes what the shell makes of a text`)];
}
