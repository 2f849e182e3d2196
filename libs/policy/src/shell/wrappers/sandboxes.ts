import { names } from '../names.js';
import type { ShellWord } from '../shell-word.js';
import { candidateRuns, ownCover, type ProgramCall, type Unwrapped, type WrapperFamily } from './unwrap.js';

/** bwrap's options take up to two words each, and a call has many of them, so they are counted. */
const TWO_WORDS = new Set(
  names(`
    --bind --bind-try --dev-bind --dev-bind-try --ro-bind --ro-bind-try --bind-fd --ro-bind-fd --file
    --bind-data --ro-bind-data --symlink --setenv --chmod --overlay
  `),
);
const ONE_WORD = new Set(
  names(`
    --args --argv0 --userns --userns2 --pidns --uid --gid --hostname --chdir --unsetenv --lock-file --sync-fd
    --remount-ro --exec-label --file-label --proc --dev --tmpfs --mqueue --dir --seccomp
    --add-seccomp-fd --block-fd --userns-block-fd --info-fd --json-status-fd --cap-add --cap-drop --perms
    --size --overlay-src --tmp-overlay --ro-overlay
  `),
);

export const SANDBOX_WRAPPERS: readonly WrapperFamily[] = [{ programs: ['bwrap'], unwrap: unwrapBwrap }];

function unwrapBwrap({ name, args }: ProgramCall): Unwrapped | null {
  let at = 0;
  while (isOption(args[at])) at += wordsOf(args[at]);
  // An option that is not known here may take a word: the command may start behind it as well.
  return ownCover(name, ...candidateRuns(args.slice(at)));
}

function isOption(word: ShellWord | undefined): boolean {
  return word?.value?.startsWith('-') === true;
}

function wordsOf(word: ShellWord | undefined): number {
  const option = word?.value ?? '';
  if (TWO_WORDS.has(option)) return option === '--overlay' ? 4 : 3;
  return ONE_WORD.has(option) ? 2 : 1;
}
