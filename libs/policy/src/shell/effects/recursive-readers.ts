import { names } from '../names.js';
import { hasOption, optionValues, scanOptions, type OptionShape } from '../option-scan.js';
import type { ShellWord } from '../shell-word.js';
import { readGitCall } from '../wrappers/git-programs.js';

/** Programs that read what lies below a folder, and the options that make them; `always` needs none. */
interface RecursiveReader {
  readonly programs: readonly string[];
  readonly when: 'always' | readonly string[];
  readonly shape?: OptionShape;
}

/** Options of grep whose value is a letter or a word that would pass for others. */
const GREP: OptionShape = {
  short: 'efmABCdD',
  long: ['regexp', 'file', 'directories', 'include', 'exclude'],
};

const READERS: readonly RecursiveReader[] = [
  {
    programs: names('grep egrep fgrep ggrep zgrep zegrep bzgrep xzgrep pcregrep'),
    when: ['-r', '-R', '--recursive', '--dereference-recursive'],
    shape: GREP,
  },
  { programs: names('rgrep rg ugrep ug ag ack pt'), when: 'always' },
  { programs: names('diff colordiff icdiff sdiff'), when: ['-r', '--recursive'] },
  { programs: ['difft', 'ditto', 'rsync', 'mv', 'gmv'], when: 'always' },
  { programs: ['cp', 'gcp'], when: ['-r', '-R', '-a', '--recursive', '--archive'], shape: { short: 'tS' } },
  { programs: ['scp', 'sftp'], when: ['-r'], shape: { short: 'cFiJloPSDX' } },
  // Only what goes into an archive is read as a folder: the archive itself is a file.
  { programs: names('tar gtar bsdtar 7z 7za 7zz 7zr rar'), when: 'always' },
  {
    programs: ['zip'],
    when: ['-r', '-R', '--recurse-paths', '--recurse-patterns'],
    shape: { short: 'bnt', long: ['out', 'temp-path'] },
  },
  {
    programs: names('gzip gunzip zstd unzstd compress uncompress pigz'),
    when: ['-r', '--recursive'],
    shape: { short: 'So' },
  },
  // A mounted folder lies open to whatever runs in the box.
  { programs: ['docker', 'podman', 'nerdctl'], when: 'always' },
];

/** Does this call read what is below the folders that it names? An option that is not static may be the one that says so. */
export function readsBelow(name: string, args: readonly ShellWord[]): boolean {
  if (name === 'git') return gitReadsBelow(args);
  const reader = READERS.find(({ programs }) => programs.includes(name));
  if (reader === undefined) return false;
  if (reader.when === 'always') return true;
  const scanned = scanOptions(args, reader.shape);
  if (scanned.dynamic || hasOption(scanned, ...reader.when)) return true;
  return reader.shape === GREP && recursesByValue(args);
}

/** Beside `--no-index`, git compares and shows what was changed, which no path tells. */
function gitReadsBelow(words: readonly ShellWord[]): boolean {
  const { verb, args } = readGitCall(words);
  if (verb === 'grep' || verb === 'archive') return true;
  return verb === 'diff' && args.some(({ value }) => value === '--no-index');
}

/** `grep -d recurse`, which searches the working folder just as `-r` does. */
export function recursesByValue(args: readonly ShellWord[]): boolean {
  const values = optionValues(scanOptions(args, GREP), '-d', '--directories');
  return values.some(({ value }) => value === null || 'recurse'.startsWith(value));
}
