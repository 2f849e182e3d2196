import { names } from '../names.js';
import { makesHarmless, hasOption, isOption, scanOptions, type ScannedArguments } from '../option-scan.js';
import type { ShellWord } from '../shell-word.js';
import { readGitCall } from '../wrappers/git-programs.js';
import type { DestructiveRule } from './rule.js';

interface GitRule {
  readonly verbs: readonly string[];
  readonly when: string;
  readonly why: string;
  /** These words, behind the sub-command, lose something. */
  readonly loses: (scanned: ScannedArguments, args: readonly ShellWord[]) => boolean;
}

const anyOf =
  (...options: readonly string[]) =>
  (scanned: ScannedArguments) =>
    hasOption(scanned, ...options);
const first =
  (...verbs: readonly string[]) =>
  (scanned: ScannedArguments) =>
    verbs.includes(scanned.operands[0]?.value ?? verbs[0] ?? '');

/** What loses commits, refs, or changes in the working tree that no commit holds. */
export const GIT_RULES: readonly GitRule[] = [
  {
    verbs: ['reset'],
    when: 'every form',
    why: 'moves the branch, the index or the files; what only they held is gone',
    loses: () => true,
  },
  {
    verbs: ['clean'],
    when: 'without -n or --dry-run',
    why: 'deletes files that were never committed',
    loses: (scanned) => !makesHarmless(scanned, '-n', '--dry-run'),
  },
  {
    verbs: ['checkout'],
    when: 'of paths (--, ., more than one operand, a file name), -f, --force, -B',
    why: 'overwrites files that hold uncommitted work',
    loses: losesByCheckout,
  },
  {
    verbs: ['switch'],
    when: '-f, --force, --discard-changes, -C',
    why: 'throws away uncommitted work or moves a branch',
    loses: anyOf('-f', '--force', '--discard-changes', '-C', '--force-create'),
  },
  {
    verbs: ['restore'],
    when: 'unless only --staged',
    why: 'overwrites files that hold uncommitted work',
    loses: (scanned) => !hasOption(scanned, '-S', '--staged') || hasOption(scanned, '-W', '--worktree'),
  },
  {
    verbs: ['branch'],
    when: '-D, -M, -C, -f, --force',
    why: 'drops or moves a branch whose commits may be nowhere else',
    loses: anyOf('-D', '-M', '-C', '-f', '--force'),
  },
  {
    verbs: ['tag'],
    when: '-d, --delete, -f, --force',
    why: 'drops or moves a tag',
    loses: anyOf('-d', '--delete', '-f', '--force'),
  },
  {
    verbs: ['stash'],
    when: 'drop, clear',
    why: 'deletes work that was put aside',
    loses: (scanned) => scanned.operands.length > 0 && first('drop', 'clear')(scanned),
  },
  {
    verbs: ['reflog'],
    when: 'expire, delete',
    why: 'removes the last way back to lost commits',
    loses: (scanned) => scanned.operands.length > 0 && first('expire', 'delete')(scanned),
  },
  {
    verbs: ['push'],
    when: '-f, --force, --force-with-lease, --mirror, --delete, --prune, +ref, :ref; not with --dry-run',
    why: 'rewrites or removes what others have',
    loses: losesByPush,
  },
  {
    verbs: ['worktree'],
    when: 'remove with -f or --force',
    why: 'deletes a working tree with uncommitted work',
    loses: (scanned) => first('remove')(scanned) && hasOption(scanned, '-f', '--force'),
  },
  {
    verbs: ['rm'],
    when: '-r, -f, --force; not with --cached',
    why: 'deletes files from the working tree',
    loses: (scanned) =>
      hasOption(scanned, '-r', '-f', '--force') && !makesHarmless(scanned, '--cached', '-n', '--dry-run'),
  },
  {
    verbs: ['update-ref', 'symbolic-ref'],
    when: '-d, --delete, --stdin',
    why: 'removes refs without a check',
    loses: anyOf('-d', '--delete', '--stdin'),
  },
  {
    verbs: ['remote'],
    when: 'remove, rm',
    why: 'drops what was fetched from there, and settings of branches with it',
    loses: (scanned) => scanned.operands.length > 0 && first('remove', 'rm')(scanned),
  },
  {
    verbs: ['lfs'],
    when: 'prune; not with --dry-run',
    why: 'deletes large files that may be nowhere else',
    loses: (scanned) =>
      scanned.operands.length > 0 && first('prune')(scanned) && !makesHarmless(scanned, '-d', '--dry-run'),
  },
  {
    verbs: ['submodule'],
    when: 'deinit with -f or --force',
    why: 'deletes a submodule with its changes',
    loses: (scanned) => first('deinit')(scanned) && hasOption(scanned, '-f', '--force'),
  },
  {
    verbs: ['gc', 'repack'],
    when: '--prune',
    why: 'deletes objects that nothing refers to any more',
    loses: (scanned) =>
      scanned.options.some((option) => option.name === '--prune' && option.value?.value !== 'never'),
  },
  {
    verbs: ['rebase', 'merge', 'cherry-pick', 'revert', 'am'],
    when: '--abort',
    why: 'throws away the conflicts that were resolved so far',
    loses: anyOf('--abort'),
  },
  {
    verbs: ['filter-branch', 'filter-repo', 'prune', 'prune-packed', 'fast-import', 'replace'],
    when: 'every form',
    why: 'rewrites history or deletes objects',
    loses: () => true,
  },
  {
    verbs: ['checkout-index', 'read-tree'],
    when: '-f, --force, --reset, -u',
    why: 'overwrites files of the working tree',
    loses: anyOf('-f', '--force', '--reset', '-u'),
  },
];

const SHAPE = {
  short: 'bBcCmxesoutF',
  long: names(`
    orphan source exclude message expire repo receive-pack push-option local-user file
    pathspec-from-file conflict track
  `),
};

export const GIT_LOSS_RULES: readonly DestructiveRule[] = [
  { programs: ['git'], when: 'see the rows of git', why: 'history and working tree', check: checkGit },
];

function checkGit(words: readonly ShellWord[]): string | null {
  const { verb, args, global } = readGitCall(words);
  if (verb === null || global.dynamic) return 'git with a sub-command that is not static';
  if (verb === undefined) return null;
  const rule = GIT_RULES.find((one) => one.verbs.includes(verb));
  if (rule === undefined) return null;
  const only = args.length === 1 ? args[0]?.value : null;
  if (only === '--help' || only === '-h') return null;
  const scanned = scanOptions(args, shapeOf(verb));
  if (rule.loses(scanned, args)) return `git ${verb}${describe(scanned, args)}`;
  const unknown =
    scanned.dynamic ||
    ((verb === 'push' || verb === 'checkout') &&
      args.some((word) => word.value === null && word.lead !== ''));
  return unknown ? `git ${verb} with words that are not static` : null;
}

/** Letters differ: `-b` takes a value in checkout, `-D` never does, `-d` of push neither. */
function shapeOf(verb: string): { short: string; long: readonly string[] } {
  const short: Record<string, string> = {
    checkout: 'bB',
    switch: 'cC',
    clean: 'e',
    restore: 's',
    tag: 'mFu',
    push: 'o',
    branch: 'u',
    stash: 'm',
  };
  return { short: Object.hasOwn(short, verb) ? (short[verb] ?? '') : '', long: SHAPE.long };
}

function losesByCheckout(scanned: ScannedArguments, args: readonly ShellWord[]): boolean {
  if (
    hasOption(
      scanned,
      '-f',
      '--force',
      '-B',
      '--ours',
      '--theirs',
      '--merge',
      '-m',
      '--pathspec-from-file',
      '-p',
      '--patch',
    )
  )
    return true;
  const divider = args.findIndex((word) => word.value === '--');
  if (divider >= 0 && divider < args.length - 1) return true;
  const creates = hasOption(scanned, '-b', '--orphan', '-t', '--track', '--detach', '-d');
  if (!creates && scanned.operands.length > 1) return true;
  const only = scanned.operands[0];
  return only !== undefined && !creates && looksLikePath(only);
}

/** A branch and a file are told apart by the repository alone; these spellings are files far more often. */
function looksLikePath(word: ShellWord): boolean {
  const text = word.value ?? '';
  return (
    text === '.' ||
    text === ':/' ||
    word.base !== null ||
    word.tilde ||
    /^\.{0,2}\//.test(text) ||
    text.endsWith('/') ||
    /\.[A-Za-z]\w*$/.test(text) ||
    text.startsWith(':')
  );
}

function losesByPush(scanned: ScannedArguments): boolean {
  if (makesHarmless(scanned, '--dry-run', '-n')) return false;
  if (hasOption(scanned, '-f', '--force', '--mirror', '--delete', '-d', '--prune')) return true;
  if (
    scanned.options.some(
      (option) => isOption(option, '--force-with-lease') || option.name.startsWith('--force'),
    )
  )
    return true;
  return scanned.operands.slice(1).some((word) => /^[+:]./.test(word.value ?? word.lead));
}

function describe(scanned: ScannedArguments, args: readonly ShellWord[]): string {
  const named = scanned.options.find((option) =>
    /^-(?:[fdDMCB]|-(?:force|hard|delete|mirror|prune))/.test(option.name),
  );
  if (named !== undefined) return ` ${named.name}`;
  const word = args.find((one) =>
    /^(?:[+:].|--|\.$|drop|clear|expire|delete|remove|deinit)/.test(one.value ?? ''),
  );
  return word?.value === undefined || word.value === null ? '' : ` ${word.value}`;
}
