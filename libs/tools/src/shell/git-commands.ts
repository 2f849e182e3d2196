import { words, type OptionRule } from './option-rule.js';

const SHAPE = words(`
  --stat --shortstat --numstat --name-only --name-status --summary --raw --patch --no-patch --unified
  --word-diff --ignore-all-space --ignore-space-change --ignore-blank-lines --diff-filter --find-renames
  --no-renames --minimal --histogram --patience --function-context --exit-code --quiet --no-color --abbrev
  --full-index --relative --merge-base --check
`);
const WALK = words(`
  --oneline --graph --decorate --all --branches --tags --remotes --author --committer --since --until
  --after --before --grep --invert-grep --regexp-ignore-case --max-count --skip --follow --format --pretty
  --date --merges --no-merges --first-parent --reverse --abbrev-commit --no-decorate --pickaxe-regex
  --left-right --cherry-pick --topo-order
`);
const SEQUENCE = words('--abort --continue --skip --quit --no-commit --no-edit --mainline --signoff');

/** `ext::` and its like name a program that speaks to the remote side. */
const noHelperUrls = (operands: readonly string[]): string | null =>
  operands.some((word) => word.includes('::')) ? 'remote helpers (name::address) are not allowed' : null;
const startsWithOneOf =
  (...names: readonly string[]) =>
  (operands: readonly string[]): string | null =>
    operands[0] === undefined || names.includes(operands[0])
      ? noHelperUrls(operands)
      : `only ${names.join(', ')} are allowed`;

/**
 * The subcommands of the git tool with the options that neither run a program nor write outside the repository
 * (`--output`, `--ext-diff`, `--textconv`, `--exec`, `--upload-pack`, `-O` and their like are missing on purpose).
 * What a call loses or publishes is not judged here: policy reads the same argument vector.
 */
export const GIT_COMMANDS: ReadonlyMap<string, OptionRule> = new Map<string, OptionRule>([
  [
    'status',
    {
      short: 'sbz',
      valued: 'u',
      long: words('--short --branch --porcelain --untracked-files --ignored --long --show-stash'),
    },
  ],
  ['log', { short: 'pwbszi', valued: 'nSGLUM', long: [...SHAPE, ...WALK] }],
  ['diff', { short: 'pwbszRW', valued: 'USGM', long: [...SHAPE, ...words('--cached --staged')] }],
  ['show', { short: 'pwbsz', valued: 'UM', long: [...SHAPE, ...WALK] }],
  ['blame', { short: 'wes', valued: 'LCM', long: words('--date --porcelain --line-porcelain --show-email') }],
  ['shortlog', { short: 'sne', long: words('--summary --numbered --email --all --since --until') }],
  [
    'reflog',
    {
      valued: 'n',
      long: words('--date --all --format --max-count'),
      operands: ([first = '']) => (['expire', 'delete'].includes(first) ? 'it only shows' : null),
    },
  ],
  [
    'rev-parse',
    {
      long: words(`
        --abbrev-ref --short --verify --quiet --show-toplevel --git-dir --show-prefix --is-inside-work-tree
        --all --symbolic-full-name
      `),
    },
  ],
  ['merge-base', { short: 'a', long: words('--all --is-ancestor --fork-point --octopus') }],
  ['describe', { long: words('--tags --always --dirty --long --all --abbrev --match --exact-match') }],
  [
    'ls-files',
    {
      short: 'codmsuztv',
      long: words(`
        --cached --others --deleted --modified --stage --unmerged --exclude-standard --error-unmatch
        --ignored --full-name
      `),
    },
  ],
  ['remote', { short: 'v', long: words('--verbose'), operands: startsWithOneOf('show', 'get-url') }],
  [
    'add',
    {
      short: 'Aunvf',
      long: words('--all --update --intent-to-add --dry-run --verbose --force --renormalize'),
    },
  ],
  ['rm', { short: 'rfnq', long: words('--cached --dry-run --force --ignore-unmatch --quiet') }],
  ['mv', { short: 'fnkv', long: words('--force --dry-run --verbose') }],
  [
    'commit',
    {
      short: 'aqsn',
      valued: 'm',
      long: words(`
        --all --message --amend --no-edit --allow-empty --author --date --fixup --squash --signoff --quiet
        --dry-run --only --include --reset-author --porcelain
      `),
    },
  ],
  [
    'branch',
    {
      short: 'avrdDmMcCfq',
      valued: 'ut',
      long: words(`
        --all --remotes --list --show-current --delete --move --copy --force --merged --no-merged --contains
        --no-contains --set-upstream-to --unset-upstream --track --no-track --sort --format --points-at
        --verbose
      `),
    },
  ],
  [
    'tag',
    {
      short: 'lafd',
      valued: 'mn',
      long: words(`
        --list --annotate --message --delete --force --sort --contains --points-at --merged --format
      `),
    },
  ],
  [
    'checkout',
    {
      short: 'bBftq',
      long: words('--detach --force --track --no-track --ours --theirs --quiet --orphan --merge'),
    },
  ],
  [
    'switch',
    {
      short: 'cCdftq',
      long: words(`
        --create --force-create --detach --discard-changes --force --track --no-track --quiet --orphan
        --merge
      `),
    },
  ],
  [
    'restore',
    {
      short: 'SWq',
      valued: 's',
      long: words('--staged --worktree --source --ours --theirs --quiet'),
    },
  ],
  [
    'stash',
    {
      short: 'uakq',
      valued: 'm',
      long: words(`
        --include-untracked --all --keep-index --no-keep-index --message --staged --quiet --index
      `),
    },
  ],
  ['reset', { short: 'qN', long: words('--soft --mixed --hard --merge --keep --quiet --intent-to-add') }],
  [
    'merge',
    {
      short: 'qn',
      valued: 'mX',
      long: [
        ...SEQUENCE,
        ...words(`
        --no-ff --ff --ff-only --squash --message --stat --allow-unrelated-histories
      `),
      ],
    },
  ],
  [
    'rebase',
    {
      short: 'q',
      long: words('--abort --continue --skip --quit --onto --autostash --no-autostash --root --keep-base'),
    },
  ],
  ['cherry-pick', { short: 'nx', valued: 'm', long: SEQUENCE }],
  ['revert', { short: 'n', valued: 'm', long: SEQUENCE }],
  [
    'fetch',
    {
      short: 'apqtfnv',
      long: words('--all --prune --tags --no-tags --depth --dry-run --quiet --force --unshallow --verbose'),
      operands: noHelperUrls,
    },
  ],
  [
    'pull',
    {
      short: 'rqv',
      long: words('--rebase --no-rebase --ff-only --no-ff --no-edit --prune --quiet --autostash --tags'),
      operands: noHelperUrls,
    },
  ],
  [
    'push',
    {
      short: 'ufdnqv',
      long: words(`
        --set-upstream --force --force-with-lease --force-if-includes --delete --tags --follow-tags
        --dry-run --quiet --porcelain --all --prune --atomic --verbose
      `),
      operands: noHelperUrls,
    },
  ],
]);

/** Configuration that would start a program of the repository's or the surroundings' choosing, switched off. */
export const GIT_CONFIG: readonly (readonly [string, string])[] = [
  ['safe.bareRepository', 'explicit'],
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.askPass', ''],
  ['protocol.ext.allow', 'never'],
  ['submodule.recurse', 'false'],
  ['log.showSignature', 'false'],
  // A collection in the background would outlive the call.
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
];

/** Options that keep a diff from running the repository's external programs; no configuration does that. */
export const GIT_PLAIN_DIFF: Readonly<Record<string, readonly string[]>> = {
  log: ['--no-ext-diff', '--no-textconv'],
  diff: ['--no-ext-diff', '--no-textconv'],
  show: ['--no-ext-diff', '--no-textconv'],
  blame: ['--no-textconv'],
};
