import { names } from '../names.js';
import { staticWord, type ShellWord } from '../shell-word.js';
import type { OutputFlow } from '../output-flow.js';
import type { WordException } from '../store-read.js';
import type { FileUse } from './file-use.js';

/**
 * git keeps what every file ever held, and shows it under a hash, in a stream, or as a diff that the next program in the
 * pipe takes apart. Where neither the words nor the scrubber can tell which files those are, the call reads the store as
 * such, and that holds the credentials that were committed.
 */
export function storeReads(verb: string, args: readonly ShellWord[], flow: OutputFlow): FileUse[] {
  const call: StoreCall = { verb, ...divided(args) };
  const exceptions = exceptionsOf(call, flow);
  return exceptions.map((unless) => ({ word: staticWord('.git/objects'), access: 'read', unless }));
}

interface StoreCall {
  readonly verb: string;
  /** As written; a dynamic word is in `words`. */
  readonly options: readonly string[];
  readonly words: readonly ShellWord[];
  /** Behind `--`; null without one. */
  readonly paths: readonly ShellWord[] | null;
}

function divided(args: readonly ShellWord[]): Omit<StoreCall, 'verb'> {
  const at = args.findIndex(({ value }) => value === '--');
  const before = at < 0 ? args : args.slice(0, at);
  const isOption = ({ value, lead }: ShellWord): boolean => /^-./.test(value ?? lead);
  return {
    options: before.filter(isOption).map(({ value, lead }) => value ?? lead),
    words: before.filter((word) => !isOption(word)),
    paths: at < 0 ? null : args.slice(at + 1),
  };
}

/** One entry for each read; it may be shown as it is where one of its exceptions holds. */
type Reads = readonly (readonly WordException[])[];

const NOTHING: Reads = [];
const ANYTHING: Reads = [[]];

/** These print, pack or unpack blobs whatever they are asked. */
const ALWAYS: ReadonlySet<string> = new Set(
  names(
    'mktree pack-objects upload-pack upload-archive unpack-file merge-tree merge-one-file diff-pairs http-backend',
  ),
);

function exceptionsOf(call: StoreCall, flow: OutputFlow): Reads {
  const { verb, options, words } = call;
  if (ALWAYS.has(verb)) return ANYTHING;
  if (options.some((option) => option.includes('%(raw'))) return ANYTHING;
  switch (verb) {
    case 'fast-export':
      return options.includes('--no-data') ? NOTHING : ANYTHING;
    case 'bundle':
      return words[0]?.value === 'create' ? ANYTHING : NOTHING;
    case 'rerere':
      return words[0]?.value === 'diff' ? ANYTHING : NOTHING;
    case 'merge-file':
      return has(options, '--object-id') ? ANYTHING : NOTHING;
    case 'checkout-index':
      return has(options, '--temp', '--prefix', '--stage') ? ANYTHING : NOTHING;
    // These put a blob where it has another name: `git show :name` is then no way to tell what it holds.
    case 'update-index':
      return has(options, '--cacheinfo', '--index-info') ? ANYTHING : NOTHING;
    case 'notes':
      return has(options, '-C', '-c', '--reuse-message', '--reedit-message') ? ANYTHING : NOTHING;
    case 'archive':
      return [[{ kind: 'files', paths: call.paths ?? words.slice(1), revisions: false }]];
    case 'range-diff':
      return isSummary(options) ? NOTHING : ANYTHING;
    case 'cat-file':
      return catFile(call);
    case 'grep':
      return grepped(call);
    default:
      return differences(call, flow);
  }
}

function catFile({ options, words }: StoreCall): Reads {
  if (has(options, '--batch', '--batch-command') && !isCheck(options)) return ANYTHING;
  if (options.some((option) => /^-[ets]$/.test(option)) || isCheck(options)) return NOTHING;
  const [kind, ...others] = words;
  if (kind?.value !== null && /^(?:commit|tag|tree)$/.test(kind?.value ?? '')) return NOTHING;
  return revisionReads(words.length > 1 ? others : words);
}

const isCheck = (options: readonly string[]): boolean =>
  options.some((option) => option.startsWith('--batch-check')) &&
  !options.some((option) => /^--batch(?:=|$|-com)/.test(option));

/** Lines of files that are tracked; of a commit's files, lines of whatever lay there. */
function grepped({ options, words, paths }: StoreCall): Reads {
  if (options.some((option) => /^-[a-zA-Z]*[lLcq]/.test(option) || LISTS_FILES.test(option))) return NOTHING;
  const given = options.some((option) => /^-[a-zA-Z]*[ef]|^--(?:regexp|and|or|not)/.test(option));
  const operands = given ? words : words.slice(1);
  const searched = [...operands, ...(paths ?? [])];
  if (has(options, '--no-index', '--untracked')) return NOTHING;
  if (has(options, '--recurse-submodules')) return ANYTHING;
  return [
    [
      { kind: 'tracked', paths: searched },
      { kind: 'files', paths: searched, revisions: false },
    ],
  ];
}

const LISTS_FILES = /^--(?:files-with|files-without|name-only|count|quiet)/;

/** Shown as they are, diffs are the scrubber's business. What it cannot read, and blobs that pose as a revision, are not. */
function differences(call: StoreCall, flow: OutputFlow): Reads {
  const { verb, options, words } = call;
  const reads: (readonly WordException[])[] = [];
  const compares = verb === 'diff' && !has(options, '--no-index');
  if (verb === 'show' || compares) reads.push(...revisionReads(words));
  if (!printsDiff(call)) return reads;
  if (flow === 'shown' && !isDisguised(call)) return reads;
  if (verb === 'show' && words.length > 0 && words.every(namesItsFile)) return reads;
  const named = [...words, ...(call.paths ?? [])];
  const unless: WordException[] = [{ kind: 'files', paths: named, revisions: call.paths === null }];
  if (call.paths !== null) unless.splice(0, 1, { kind: 'files', paths: call.paths, revisions: false });
  const working =
    verb === 'diff-files' || (compares && !has(options, '--cached', '--staged', '--merge-base'));
  const nested = has(options, '--submodule', '--recurse-submodules');
  if (working && !nested) unless.push({ kind: 'tracked', paths: named });
  return [...reads, unless];
}

/** A range names commits, and `HEAD:src/a.ts` names its file. */
function revisionReads(words: readonly ShellWord[]): Reads {
  return words.flatMap((word): readonly (readonly WordException[])[] => {
    if (word.value === null) return /\.\.|\^\{commit\}|~\d*"?$/.test(word.text) ? [] : [[]];
    if (namesItsFile(word) || word.value.includes('..')) return [];
    return [[{ kind: 'no-blob', revision: word.value }]];
  });
}

function namesItsFile({ value }: ShellWord): boolean {
  return value !== null && (/^[^:]+:./.test(value) || /^:\d?:?[^/:]/.test(value));
}

/** Always, unless told to summarise. */
const DIFFS: ReadonlySet<string> = new Set(names('show diff format-patch'));
/** Only when told to. */
const MAY_DIFF: ReadonlySet<string> = new Set(
  names(`
    log whatchanged reflog stash diff-tree diff-index diff-files status commit add stage reset checkout restore am
    rebase request-pull
  `),
);

function printsDiff({ verb, options }: StoreCall): boolean {
  const asked = options.some((option) => PATCH_LETTERS.test(option) || isPatchOption(option));
  if (DIFFS.has(verb)) return asked || !isSummary(options);
  if (/^(?:status|commit)$/.test(verb) && options.some((option) => /^-[a-zA-Z]*v|^--verb/.test(option)))
    return true;
  return MAY_DIFF.has(verb) && asked;
}

/** Letters that take a word of their own (`-S`, `-G`, `-n`, `-m message`) end what can be read of a cluster. */
const PATCH_LETTERS = /^-(?![SGnmIOMCBXDF\d])[a-zA-Z]*?[puUcWL]/;
const PATCH_OPTIONS = names(`
  --patch --patch-with-stat --patch-with-raw --unified --binary --cc --color-words --word-diff --remerge-diff
  --function-context --check --dd --diff-merges --show-current-patch
`);

/** git takes abbreviations: `--pat` is `--patch`. */
function isPatchOption(option: string): boolean {
  const [name = ''] = option.split('=', 1);
  return name.length > 3 && PATCH_OPTIONS.some((known) => known.startsWith(name) || name.startsWith(known));
}

function isSummary(options: readonly string[]): boolean {
  return options.some((option) =>
    /^(?:-s|--(?:no-patch|stat|shortstat|numstat|name-only|name-status|summary|raw|dirstat|quiet)(?:=.*)?)$/.test(
      option,
    ),
  );
}

/** Forms in which the scrubber finds no file names, or other ones; and files that are written for somebody to read. */
function isDisguised({ verb, options }: StoreCall): boolean {
  if (verb === 'format-patch' && !options.includes('--stdout')) return true;
  return has(
    options,
    '--line-prefix',
    '--src-prefix',
    '--dst-prefix',
    '--relative',
    '--check',
    '--output',
    '--ext-diff',
  );
}

function has(options: readonly string[], ...wanted: readonly string[]): boolean {
  return options.some((option) => {
    const [name = ''] = option.split('=', 1);
    return wanted.some((one) => name === one || (name.length > 3 && one.startsWith(name)));
  });
}
