import { words, type OptionRule, type Options } from './option-rule.js';

export interface ProgramRule {
  readonly options?: Options;
  /** The first word must be one of these. */
  readonly subcommands?: Readonly<Record<string, OptionRule>>;
  /** Runs or loads the files that it is given: those must lie in the project. */
  readonly ownCode?: boolean;
  /** Looked for in `node_modules/.bin` of the project first. */
  readonly local?: boolean;
}

/** A word like `@file` stands for more words, which nobody looked at. */
const noResponseFiles = (operands: readonly string[]): string | null =>
  operands.some((word) => word.startsWith('@')) ? 'response files (@file) are not allowed' : null;

const SCRIPT_RUNNER: OptionRule = {
  short: 'swr',
  valued: 'F',
  long: words(`
    --silent --workspace --workspaces --if-present --include-workspace-root --recursive --filter
  `),
};
const LIST_PACKAGES: OptionRule = {
  short: 'ar',
  long: words('--all --depth --json --long --parseable --recursive'),
};
const PACKAGE_SCRIPTS: ProgramRule = {
  subcommands: {
    test: SCRIPT_RUNNER,
    t: SCRIPT_RUNNER,
    run: SCRIPT_RUNNER,
    'run-script': SCRIPT_RUNNER,
    ls: LIST_PACKAGES,
    list: LIST_PACKAGES,
  },
};
const CARGO: OptionRule = {
  short: 'qv',
  valued: 'pjF',
  long: words(`
    --release --workspace --all --all-targets --all-features --features --no-default-features --package
    --exclude --lib --bin --bins --test --tests --example --examples --doc --locked --offline --frozen
    --no-run --no-fail-fast --check --message-format --depth --quiet --verbose --jobs --no-deps
  `),
};
const GO_SHARED = ['v', 'race', 'tags', 'p', 'json', 'trimpath', 'mod', 'n', 'x', 'cover'];
const go = (...long: readonly string[]): OptionRule => ({ style: 'single', long: [...GO_SHARED, ...long] });

/**
 * What `exec` may start. Nobody in this list is an interpreter, a shell, a network scanner or a wrapper that starts
 * another program named in its arguments. Programs that build and test run the project's own scripts, as `npm test`
 * does: options that would name other code than the project's are left out.
 */
export const EXEC_PROGRAMS: ReadonlyMap<string, ProgramRule> = new Map<string, ProgramRule>([
  ...(
    'ls cat head tail wc stat du df nl cut cmp diff cksum md5sum sha1sum sha256sum basename dirname realpath ' +
    'readlink pwd echo true false uname whoami id'
  )
    .split(' ')
    .map((name): [string, ProgramRule] => [name, { options: 'any' }]),
  [
    'date',
    {
      options: {
        short: 'uR',
        valued: 'dI',
        long: words('--utc --date --iso-8601 --rfc-3339'),
        // A bare word would set the clock; the value of `-d` may be one, so it is given as `-dVALUE` or `--date=VALUE`.
        operands: (given) =>
          given.every((word) => word.startsWith('+')) ? null : 'only a +FORMAT is allowed',
      },
    },
  ],
  [
    'sort',
    {
      options: {
        short: 'bdfghMnRrVcCuszm',
        valued: 'kt',
        long: words('--unique --reverse --numeric-sort --key --field-separator'),
      },
    },
  ],
  ['npm', PACKAGE_SCRIPTS],
  ['pnpm', PACKAGE_SCRIPTS],
  [
    'make',
    {
      ownCode: true,
      options: {
        short: 'Bkns',
        valued: 'j',
        long: words('--jobs --keep-going --silent --always-make --dry-run'),
        operands: (given) => (given.some((word) => word.includes('=')) ? 'variables are not allowed' : null),
      },
    },
  ],
  [
    'tsc',
    {
      ownCode: true,
      local: true,
      options: {
        style: 'single',
        long: words('noEmit p project b build pretty skipLibCheck strict listFiles version v help h'),
        operands: noResponseFiles,
      },
    },
  ],
  [
    'eslint',
    {
      ownCode: true,
      local: true,
      options: {
        long: words(`
          --fix --max-warnings --quiet --ext --cache --no-error-on-unmatched-pattern --version
          --report-unused-disable-directives --rule --no-warn-ignored --env-info
        `),
      },
    },
  ],
  [
    'prettier',
    {
      ownCode: true,
      local: true,
      options: {
        short: 'cwlu',
        long: words(`
          --check --write --list-different --log-level --ignore-unknown --version
          --no-error-on-unmatched-pattern --cache
        `),
      },
    },
  ],
  [
    'jest',
    {
      ownCode: true,
      local: true,
      options: {
        short: 'ibou',
        valued: 'tw',
        long: words(`
          --testNamePattern --testPathPattern --testPathPatterns --runTestsByPath --findRelatedTests
          --maxWorkers --runInBand --ci --verbose --silent --coverage --bail --json --passWithNoTests
          --listTests --onlyChanged --changedSince --selectProjects --version --updateSnapshot --no-cache
          --detectOpenHandles --forceExit --no-coverage
        `),
      },
    },
  ],
  [
    'vitest',
    {
      ownCode: true,
      local: true,
      options: {
        short: 'u',
        valued: 't',
        long: words(`
          --run --testNamePattern --coverage --bail --passWithNoTests --update --version --changed --project
          --silent
        `),
      },
    },
  ],
  [
    'pytest',
    {
      ownCode: true,
      options: {
        short: 'xqvsl',
        valued: 'kmrn',
        long: words(`
          --lf --last-failed --ff --failed-first --maxfail --tb --collect-only --co --durations --no-header
          --disable-warnings --version --sw --stepwise --verbose --quiet
        `),
        operands: noResponseFiles,
      },
    },
  ],
  [
    'ruff',
    {
      ownCode: true,
      subcommands: {
        check: { long: words('--fix --diff --select --ignore --quiet --statistics --no-cache') },
        format: { long: words('--check --diff --quiet --no-cache') },
      },
    },
  ],
  [
    'mypy',
    {
      ownCode: true,
      options: {
        valued: 'pm',
        long: words('--strict --ignore-missing-imports --version --pretty'),
        operands: noResponseFiles,
      },
    },
  ],
  [
    'go',
    {
      ownCode: true,
      subcommands: {
        test: go(
          'run',
          'count',
          'short',
          'timeout',
          'bench',
          'benchmem',
          'failfast',
          'parallel',
          'list',
          'skip',
        ),
        build: go(),
        vet: go(),
        list: go('m', 'deps', 'test', 'f', 'e'),
        version: go('m'),
      },
    },
  ],
  [
    'cargo',
    {
      ownCode: true,
      subcommands: {
        build: CARGO,
        check: CARGO,
        test: CARGO,
        clippy: CARGO,
        fmt: CARGO,
        tree: CARGO,
        doc: CARGO,
      },
    },
  ],
]);
