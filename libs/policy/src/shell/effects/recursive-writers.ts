import { names } from '../names.js';
import { hasOption, scanOptions, type OptionShape } from '../option-scan.js';
import type { ShellWord } from '../shell-word.js';
import { readGitCall } from '../wrappers/git-programs.js';

/** Programs that remove, replace or change what lies below a folder, and the options that make them; `always` needs none. */
interface RecursiveWriter {
  readonly programs: readonly string[];
  readonly when: 'always' | readonly string[];
  readonly shape?: OptionShape;
}

const RECURSIVE = ['-r', '-R', '--recursive'];

/** What an archive, a search or a mount writes below a folder says so in its own row. */
const WRITERS: readonly RecursiveWriter[] = [
  { programs: names('rm grm srm'), when: RECURSIVE },
  { programs: names('trash trash-put mv gmv rename ditto rsync mount'), when: 'always' },
  { programs: ['cp', 'gcp'], when: [...RECURSIVE, '-a', '--archive'], shape: { short: 'tS' } },
  { programs: ['scp', 'sftp'], when: ['-r'], shape: { short: 'cFiJloPSDX' } },
  {
    programs: names('chmod gchmod chown gchown chgrp setfacl chattr chflags xattr'),
    when: RECURSIVE,
    shape: { long: ['reference', 'from'] },
  },
  {
    programs: names('gzip gunzip zstd unzstd compress uncompress pigz'),
    when: ['-r', '--recursive'],
    shape: { short: 'So' },
  },
  {
    programs: ['wget', 'wget2'],
    when: names('-r -m -x -p --recursive --mirror --force-directories --page-requisites'),
  },
];

/** These change every file below the folders that they are given. */
const GIT_VERBS = /^(?:mv|checkout|restore|clean|worktree|clone|checkout-index)$/;

/** Does this call change what is below the folders that it writes? An option that is not static may be the one that says so. */
export function writesBelow(name: string, args: readonly ShellWord[]): boolean {
  if (name === 'git') return gitWritesBelow(args);
  const writer = WRITERS.find(({ programs }) => programs.includes(name));
  if (writer === undefined) return false;
  if (writer.when === 'always') return true;
  const scanned = scanOptions(args, writer.shape);
  return scanned.dynamic || hasOption(scanned, ...writer.when);
}

function gitWritesBelow(words: readonly ShellWord[]): boolean {
  const { verb, args } = readGitCall(words);
  if (verb === null || verb === undefined) return false;
  if (GIT_VERBS.test(verb)) return true;
  return verb === 'rm' && hasOption(scanOptions(args), '-r');
}
