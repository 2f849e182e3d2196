import { names } from '../names.js';
import {
  hasExactly,
  hasOption,
  makesHarmless,
  optionValues,
  scanOptions,
  type OptionShape,
  type ScannedArguments,
} from '../option-scan.js';
import { runtimeWord, staticWord, wordTail, type ShellWord } from '../shell-word.js';
import { readGitCall } from '../wrappers/git-programs.js';
import { credentialParts, hiddenCredentials } from './credential-words.js';
import type { OutputFlow } from '../output-flow.js';
import type { EffectRule, FileUse } from './file-use.js';
import { storeReads } from './git-store.js';

/** git writes `.git` as its own bookkeeping; here are the files that its words name. */
export const GIT_EFFECT_RULES: readonly EffectRule[] = [
  {
    programs: ['git'],
    operands: 'none',
    why: '--output writes; clone, init and worktree add make a folder; rm, mv, checkout and restore change files; -F, --no-index and the like read',
    special: gitFiles,
  },
];

const SHAPE = {
  short: 'oFmbuc',
  long: names(`
    output output-directory file message branch origin depth template separate-git-dir
    pathspec-from-file contents source
  `),
};

const OUTPUT_VERBS =
  /^(?:diff|log|show|format-patch|archive|diff-tree|diff-index|diff-files|rev-list|range-diff|whatchanged|stash|reflog|shortlog|bundle)$/;

/** These print what files hold or held, from the working tree or from a commit. */
const PRINTING_VERBS = /^(?:show|diff|log|whatchanged|cat-file|grep|blame|annotate|difftool|archive)$/;

function gitFiles(words: readonly ShellWord[], _name: string, output: OutputFlow): FileUse[] {
  const { verb, args, folders } = readGitCall(words);
  if (verb === null || verb === undefined) return [];
  const scanned = scanOptions(args, SHAPE);
  const found: FileUse[] = [];
  const add = (access: 'read' | 'write', list: readonly ShellWord[], bookkeeping = false): void => {
    for (const word of list) found.push({ word, access, bookkeeping, folder: folders });
  };
  if (OUTPUT_VERBS.test(verb)) {
    add(
      'write',
      optionValues(
        scanned,
        '--output',
        ...(/^(?:archive|format-patch)$/.test(verb) ? ['-o', '--output-directory'] : []),
      ),
    );
  }
  // `git diff $x` may be asked to write by `--output`.
  if (OUTPUT_VERBS.test(verb) && scanned.dynamic) add('write', [runtimeWord('git options')]);
  add('read', optionValues(scanned, '--pathspec-from-file'));
  if (PRINTING_VERBS.test(verb)) {
    add(
      'read',
      args.flatMap((word) => committedFile(word)),
    );
    add('read', behindDivider(args));
  }
  for (const word of credentialsNamed(verb, args)) found.push({ word, access: 'read', folder: folders });
  for (const use of storeReads(verb, args, output)) found.push({ ...use, folder: folders });
  if (takesIgnored(verb, scanOptions(args, SHAPE))) add('read', [staticWord('.')]);
  switch (verb) {
    case 'clone':
      add(
        'write',
        scanned.operands.slice(1, 2).length > 0 ? scanned.operands.slice(1, 2) : [staticWord('.')],
      );
      add(
        'read',
        scanned.operands.slice(0, 1).filter((word) => isLocal(word)),
      );
      add('write', optionValues(scanned, '--separate-git-dir'));
      break;
    case 'init':
      add(
        'write',
        scanned.operands.length > 0 ? scanned.operands.slice(0, 1) : [staticWord('.git')],
        scanned.operands.length === 0,
      );
      add('read', optionValues(scanned, '--template'));
      add('write', optionValues(scanned, '--separate-git-dir'));
      break;
    case 'worktree':
      if (scanned.operands[0]?.value === 'add') add('write', scanned.operands.slice(1, 2));
      if (/^(?:remove|move)$/.test(scanned.operands[0]?.value ?? '')) add('write', scanned.operands.slice(1));
      break;
    case 'rm':
      if (!hasOption(scanned, '--cached')) add('write', scanned.operands);
      break;
    case 'mv':
    case 'restore':
      add('write', scanned.operands);
      break;
    case 'checkout':
      add('write', behindDivider(args));
      add('write', checkedOutPaths(scanned.operands));
      break;
    case 'clean':
      if (makesHarmless(scanned, '-n', '--dry-run')) break;
      add('write', scanned.operands.length > 0 ? scanned.operands : [staticWord('.')]);
      break;
    case 'apply':
    case 'am':
      add('read', scanned.operands);
      // The patch itself says what it changes, as it does to `patch`.
      if (!onlyReports(scanned)) add('write', [runtimeWord('patched files')]);
      break;
    case 'format-patch':
      if (!hasOption(scanned, '-o', '--output-directory', '--stdout', '--output'))
        add('write', [staticWord('.')]);
      break;
    case 'checkout-index':
      add('write', optionValues(scanned, '--prefix'));
      break;
    case 'commit':
    case 'tag':
    case 'notes':
      add('read', optionValues(scanned, '-F', '--file'));
      break;
    case 'diff':
      // Two paths of which one lies outside are compared as plain files, asked for or not.
      add(
        'read',
        scanned.operands.filter((word) => hasOption(scanned, '--no-index') || !isRange(word)),
      );
      break;
    case 'grep':
      if (hasOption(scanned, '--no-index')) add('read', scanned.operands.slice(1));
      add(
        'read',
        args.filter((word) => isLocal(word)),
      );
      add('read', searchedBelow(args));
      break;
    case 'archive':
      add('read', [staticWord('.')]);
      break;
    case 'blame':
    case 'annotate':
      add('read', scanned.operands.slice(-1));
      add('read', optionValues(scanned, '--contents'));
      break;
    case 'config':
      add(scanned.operands.length > 1 ? 'write' : 'read', optionValues(scanned, '-f', '--file'));
      if (
        scanned.operands.length > 1 ||
        hasOption(
          scanned,
          '--unset',
          '--unset-all',
          '--add',
          '--replace-all',
          '-e',
          '--edit',
          '--rename-section',
          '--remove-section',
        )
      )
        add('write', configFile(scanned), false);
      break;
    case 'hash-object':
      add('read', scanned.operands);
      break;
    case 'bundle':
      add(scanned.operands[0]?.value === 'create' ? 'write' : 'read', scanned.operands.slice(1, 2));
      break;
    default:
      break;
  }
  return found;
}

/** `git am --abort` puts back what was there, `--cached` leaves the working tree alone, and the others print. */
function onlyReports(scanned: ScannedArguments): boolean {
  if (hasOption(scanned, '--unsafe-paths', '--apply', '--index')) return false;
  return hasExactly(
    scanned,
    ...names('--check --stat --numstat --summary --cached --abort --quit --show-current-patch'),
  );
}

/** These speak of names and commits, or write the working tree; none shows or keeps what a file holds. */
const NAMING_VERBS = new Set(
  names(`
    status rm check-ignore check-attr check-ref-format ls-files ls-tree ls-remote rev-parse rev-list branch switch checkout
    restore clean init push fetch pull clone remote merge rebase cherry-pick revert reset describe sparse-checkout
    submodule gc fsck prune maintenance worktree merge-base name-rev for-each-ref show-ref symbolic-ref update-ref count-objects
  `),
);

const TEXT_OPTION = /^--(?:message|author|grep|format|pretty|date|trailer)=/;

/** Whose value is a text of the caller's. */
const TEXT_OPTIONS: Readonly<Record<string, OptionShape>> = {
  message: { short: 'm', long: ['message', 'author', 'date', 'trailer'] },
  search: { short: 'SG', long: ['grep', 'author', 'format', 'pretty', 'date'] },
};

/**
 * Credentials that a call names, to show them or to put them into the repository, from where the next call shows them:
 * `git add -f .env; git diff --cached`. Everywhere in a word, as `HEAD:.env` and `-L1,3:.env` name one too.
 */
function credentialsNamed(verb: string, args: readonly ShellWord[]): ShellWord[] {
  if (NAMING_VERBS.has(verb)) return [];
  const texts = /^(?:commit|stash|tag|notes)$/.test(verb) ? TEXT_OPTIONS['message'] : TEXT_OPTIONS['search'];
  const scanned = scanOptions(args, texts);
  const valued = new Set(optionValues(scanned, '-m', '--message', '--author', '--grep', '-S', '-G'));
  const words = args.filter(
    (word) => !valued.has(word) && !leavesOut(word) && !TEXT_OPTION.test(word.value ?? ''),
  );
  return words.flatMap((word) =>
    word.value === null ? hiddenCredentials(word).map((use) => use.word) : credentialParts(word),
  );
}

/** `git add -f .`, `git stash -a` take what is ignored, and credentials are. */
function takesIgnored(verb: string, scanned: ScannedArguments): boolean {
  if (verb === 'add' || verb === 'stage') return hasOption(scanned, '-f', '--force');
  return verb === 'stash' && hasOption(scanned, '-a', '--all');
}

/** `git checkout main src`, `git checkout .`: paths behind a commit, and a first word that can be none. */
function checkedOutPaths([first, ...others]: readonly ShellWord[]): readonly ShellWord[] {
  const path = first !== undefined && /^(?:\.{1,2}(?:\/|$)|\/|:[/(])/.test(first.value ?? '');
  return path ? [first, ...others] : others;
}

function configFile(scanned: ScannedArguments): ShellWord[] {
  if (hasOption(scanned, '-f', '--file', '--blob')) return [];
  if (hasOption(scanned, '--global')) return [{ ...staticWord('~/.gitconfig'), tilde: true }];
  return [staticWord(hasOption(scanned, '--system') ? '/etc/gitconfig' : '.git/config')];
}

/** The pathspec `:!.env` leaves the file out. */
function leavesOut(word: ShellWord): boolean {
  return /^:(?:[!^]|\(exclude)/.test(word.value ?? '');
}

function behindDivider(args: readonly ShellWord[]): readonly ShellWord[] {
  const at = args.findIndex((word) => word.value === '--');
  return at < 0 ? [] : args.slice(at + 1).filter((word) => !leavesOut(word));
}

/** Without a plain path behind `--`, git searches the working folder and all below it. */
function searchedBelow(args: readonly ShellWord[]): ShellWord[] {
  const paths = behindDivider(args).filter(({ value }) => value === null || !/^:[!^]/.test(value));
  // `:/` and `:(top)` count from the top of the repository.
  const magic = paths.filter(({ value }) => value?.startsWith(':') === true);
  if (magic.length > 0) return [runtimeWord('a pathspec')];
  // In a pathspec `*` crosses slashes.
  const plain = paths.length > 0 && !paths.some(({ value }) => value !== null && /[*?[]/.test(value));
  return plain ? [] : [staticWord('.')];
}

/** `a..b` names commits, `../b` a path. */
function isRange(word: ShellWord): boolean {
  return word.value === null || /[^/.]\.{2,3}(?!\/)|:/.test(word.value);
}

/** `HEAD:.env` prints what the file held; the path counts from the top of the repository, near enough from here. */
function committedFile(word: ShellWord): ShellWord[] {
  if (leavesOut(word)) return [];
  const found = /^[\w@{}^~./-]*:(?:[0-3]:)?([^:/+][^:]*)$/.exec(word.value ?? '');
  if (found === null || (word.value ?? '').startsWith('-')) return [];
  return [wordTail(word, (word.value ?? '').length - (found[1] ?? '').length)];
}

/** A clone from a path reads that path; one from an address goes over the network. */
function isLocal(word: ShellWord): boolean {
  return word.tilde || /^(?:\.{0,2}\/|file:)/.test(word.value ?? '');
}
