import { names } from './names.js';
import { hasOption, scanOptions, type OptionShape } from './option-scan.js';
import { mayBeOption, programName, type ShellWord } from './shell-word.js';
import { readSedScripts } from './sed-script.js';
import { readGitCall } from './wrappers/git-programs.js';

/** One row of the built-in set `readOnlyCommands`. */
export interface ReadOnlyRule {
  readonly programs: readonly string[];
  /** For people: which calls belong to the set. */
  readonly when: string;
  readonly check: (args: readonly ShellWord[]) => boolean;
}

const anyCall = (): boolean => true;

/** Calls without one of these options, and none that may turn out to be one. */
function without(shape: OptionShape, ...options: readonly string[]): ReadOnlyRule['check'] {
  return (args) => {
    const scanned = scanOptions(args, shape);
    return !scanned.dynamic && !hasOption(scanned, ...options);
  };
}

const noOperands = (args: readonly ShellWord[]): boolean =>
  args.every((word) => (word.value ?? '').startsWith('-'));

export const READ_ONLY_RULES: readonly ReadOnlyRule[] = [
  {
    programs: names(`
      ls cat head tail wc pwd echo nl tac cut stat du df which type true false test [ basename dirname
      realpath readlink id whoami uname rev paste comm join fold expand unexpand tr seq md5sum sha1sum
      sha256sum sha512sum cksum cmp strings od hexdump nproc groups arch tty uptime free sleep cal
      column egrep fgrep grep : exit
    `),
    when: 'every call: no option of theirs writes or runs anything',
    check: anyCall,
  },
  {
    programs: ['date'],
    when: 'without -s and --set, and no operand that sets the clock',
    check: (args) =>
      without({ short: 'dfrI', long: ['date', 'file', 'reference', 'set'] }, '-s', '--set')(args) &&
      scanOptions(args, { short: 'dfrI', long: ['date', 'file', 'reference'] }).operands.every(
        (word) => word.value?.startsWith('+') === true,
      ),
  },
  { programs: ['printf'], when: 'without -v', check: without({ stopAtOperand: true }, '-v') },
  {
    programs: ['hostname'],
    when: 'without an operand, which would set it',
    check: (args) => noOperands(args) && without({}, '-F', '--file', '-b')(args),
  },
  {
    programs: ['base64', 'base32'],
    when: 'without -o, --output, -O',
    check: without({ short: 'wib', long: ['wrap', 'input', 'output'] }, '-o', '--output', '-O'),
  },
  {
    programs: ['sort'],
    when: 'without -o, -T and --compress-program',
    check: without(
      {
        short: 'koStT',
        long: ['key', 'output', 'buffer-size', 'field-separator', 'compress-program', 'temporary-directory'],
      },
      '-o',
      '--output',
      '-T',
      '--temporary-directory',
      '--compress-program',
    ),
  },
  {
    programs: ['uniq'],
    when: 'with at most one operand; the second is written',
    check: (args) => {
      const scanned = scanOptions(args, { short: 'fsw', long: ['skip-fields', 'skip-chars', 'check-chars'] });
      return (
        scanned.operands.length < 2 &&
        !scanned.operands.some((word) => word.value === null || word.base !== null)
      );
    },
  },
  { programs: ['diff'], when: 'without --output and -o', check: without({}, '-o', '--output') },
  {
    programs: ['tree'],
    when: 'without -o and -R, and without a file that says what to show',
    check: without(
      { short: 'LPIoH', long: ['gitfile', 'infofile'] },
      ...names('-o -R --output --fromfile --fromtabfile --gitfile --infofile'),
    ),
  },
  {
    programs: ['file'],
    when: 'without -C and -m, which compile or load magic, and -z and -Z, which start a decompressor',
    check: without(
      { short: 'mfFeP', long: ['magic-file', 'files-from'] },
      ...names('-C --compile -m --magic-file -z --uncompress -Z --uncompress-noreport'),
    ),
  },
  {
    programs: ['xxd'],
    when: 'with at most one operand, without -r',
    check: (args) =>
      without({ short: 'clsogn' }, '-r')(args) && scanOptions(args, { short: 'clsogn' }).operands.length < 2,
  },
  {
    programs: ['rg'],
    when: 'without --pre, --hostname-bin, --search-zip and -z',
    check: without(
      { short: 'efmABCgjMrtTEd', long: ['pre', 'hostname-bin'] },
      '--pre',
      '--hostname-bin',
      '--search-zip',
      '-z',
    ),
  },
  {
    programs: ['find'],
    when: 'without -exec, -execdir, -ok, -okdir, -delete, -fls, -fprint, -fprint0, -fprintf',
    check: (args) =>
      !args.some((word) =>
        word.value === null
          ? mayBeOption(word) || word.lead.startsWith('-')
          : /^-(?:exec|execdir|ok|okdir|delete|fls|fprint|fprint0|fprintf)$/.test(word.value),
      ),
  },
  {
    programs: ['sed'],
    when: 'with a static script that only prints, deletes lines or quits; neither -i nor -f',
    check: isReadOnlySed,
  },
  {
    programs: ['cd', 'pushd', 'popd'],
    when: 'with a static folder',
    check: (args) => args.every((word) => word.value !== null && word.base === null),
  },
  { programs: ['command'], when: 'with -v or -V', check: (args) => /^-[vV]$/.test(args[0]?.value ?? '') },
  {
    programs: ['git'],
    when: 'status, log, diff, show, blame, ls-files, ls-tree, rev-parse, rev-list, describe, shortlog, cat-file, merge-base, name-rev, grep, whatchanged, range-diff; branch, tag, remote, stash and worktree where they only list; config --get and --list; no global option but -C, --no-pager, --no-optional-locks, --literal-pathspecs; without --output, --ext-diff, --textconv, -O, and no format that asks for a signature',
    check: isReadOnlyGit,
  },
];

function isReadOnlySed(args: readonly ShellWord[]): boolean {
  const script = readSedScripts(args);
  return script.harmless && !script.inPlace && script.writes.length === 0 && script.runs.length === 0;
}

const GIT_VERBS = new Set(
  names(`
  status log diff show blame annotate ls-files ls-tree rev-parse rev-list describe shortlog cat-file
  merge-base name-rev grep whatchanged range-diff diff-tree diff-index diff-files show-ref
  for-each-ref count-objects check-ignore var version help
`),
);
const GIT_GLOBAL = new Set(
  names(`
  -C --no-pager -P --no-optional-locks --literal-pathspecs --version --no-replace-objects
  --no-lazy-fetch --no-advice
`),
);
const GIT_RISKY = names(`
  --output --ext-diff --textconv --open-files-in-pager -O --filters --show-signature --exec
  --upload-pack --edit -e --web
`);

function isReadOnlyGit(words: readonly ShellWord[]): boolean {
  const { global, verb, args, folders } = readGitCall(words);
  if (global.dynamic || !global.options.every((option) => GIT_GLOBAL.has(option.name))) return false;
  if (folders.some((word) => word.value === null || word.base !== null)) return false;
  if (verb === undefined) return global.options.some((option) => option.name === '--version');
  if (verb === null) return false;
  // `log -Sx` and `-ex` of grep take values; -O and -e elsewhere open programs.
  const scanned = scanOptions(args, verb === 'grep' ? { short: 'efABCm' } : { short: 'SGnUlLM' });
  const risky = GIT_RISKY.filter(
    (name) => !(name === '-e' && verb !== 'config') && !(name === '-O' && verb !== 'grep'),
  );
  if (scanned.dynamic || hasOption(scanned, ...risky) || args.some(asksForSignature)) return false;
  if (GIT_VERBS.has(verb)) return verb !== 'help' || args.length === 0;
  const first = scanned.operands[0]?.value;
  switch (verb) {
    case 'branch':
      return listsOnly(
        scanned.options,
        scanned.operands,
        names(`
        --list -l -a -r -v -vv --all --remotes --verbose --show-current --contains --no-contains
        --merged --no-merged --sort --format --points-at --no-color --color --column --no-column
        --abbrev --no-abbrev -i --ignore-case
      `),
      );
    case 'tag':
      return listsOnly(
        scanned.options,
        scanned.operands,
        names(`
        --list -l -n --contains --no-contains --merged --no-merged --sort --format --points-at
        --column --no-column -i --ignore-case --color --no-color
      `),
      );
    case 'remote':
      return scanned.operands.length === 0 || first === 'get-url';
    case 'stash':
      return first === 'list' || first === 'show';
    case 'worktree':
      return first === 'list';
    case 'reflog':
      return first === undefined || first === 'show';
    case 'config':
      return (
        first === 'list' ||
        first === 'get' ||
        hasOption(scanned, '--get', '--get-all', '--get-regexp', '--list', '-l') ||
        // A key has a dot; `git config edit` is a command.
        (scanned.options.length === 0 && scanned.operands.length === 1 && first?.includes('.') === true)
      );
    default:
      return false;
  }
}

/** `%G?` and `%(signature)` of a format start the program that the repository's `gpg.program` names. */
function asksForSignature(word: ShellWord): boolean {
  const text = word.value ?? word.lead;
  return /^(?:--(?:format|pretty)\b|%|[^-])/.test(text) && /%[-+ ]?G|%\([^)]*signature/.test(text);
}

/** `git branch name` creates; with an operand only an option that asks for a list makes it a pattern. */
function listsOnly(
  options: readonly { readonly name: string }[],
  operands: readonly ShellWord[],
  known: readonly string[],
): boolean {
  if (!options.every((option) => known.includes(option.name))) return false;
  const asks = options.some((option) =>
    /^(?:--list|-l|--contains|--no-contains|--merged|--no-merged|--points-at)$/.test(option.name),
  );
  return operands.length === 0 || asks;
}

let table: Map<string, ReadOnlyRule> | null = null;

/** Whether a call reads and prints only. A program counts by its bare name or from the system's own folders. */
export function isReadOnlyCall(command: ShellWord, args: readonly ShellWord[]): boolean {
  const name = programName(command);
  if (name === null || !/^(?:(?:\/usr(?:\/local)?)?\/bin\/)?[\w[:.-]+$/.test(command.value ?? ''))
    return false;
  table ??= new Map(READ_ONLY_RULES.flatMap((rule) => rule.programs.map((program) => [program, rule])));
  return table.get(name)?.check(args) === true;
}
