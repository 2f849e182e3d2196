import { names } from '../names.js';
import { hasOption, optionValues, scanOptions, type OptionShape } from '../option-scan.js';
import type { ShellWord } from '../shell-word.js';
import {
  candidateRuns,
  ownCover,
  scriptRun,
  wordsRun,
  type ProgramCall,
  type Unwrapped,
  type WrapperFamily,
} from './unwrap.js';

const RUNNER_OPTIONS: OptionShape = {
  short: 'pcwC',
  long: names(`
    package call workspace from with python spec filter dir prefix index-url directory project
  `),
  stopAtOperand: true,
};

/** Sub-commands that run a program which the words behind them name. */
const RUNNING_VERBS: Readonly<Record<string, readonly string[]>> = {
  npm: ['exec', 'x'],
  pnpm: ['dlx', 'exec'],
  yarn: ['dlx', 'exec'],
  bun: ['x'],
  uv: ['run'],
  pipx: ['run'],
  poetry: ['run'],
  pdm: ['run'],
  hatch: ['run'],
  pipenv: ['run'],
  rye: ['run'],
  bundle: ['exec'],
  rbenv: ['exec'],
  pyenv: ['exec'],
  nodenv: ['exec'],
  asdf: ['exec'],
  mise: ['exec', 'x'],
  volta: ['run'],
  conda: ['run'],
  mamba: ['run'],
  opam: ['exec'],
  stack: ['exec'],
  cabal: ['exec'],
  dotnet: ['exec'],
  nx: ['exec'],
  lerna: ['exec'],
  rush: ['exec'],
  op: ['run'],
  doppler: ['run'],
  'aws-vault': ['exec'],
  devbox: ['run'],
  direnv: ['exec'],
};

/** These take operands of their own before the command, so it is looked for at every one of the first words. */
const OWN_OPERANDS = new Set([
  'conda',
  'mamba',
  'mise',
  'volta',
  'aws-vault',
  'devbox',
  'direnv',
  'asdf',
  'hatch',
]);

/** Programs that fetch another program, or pick it from a package's folder, and run it. */
export const PACKAGE_RUNNER_WRAPPERS: readonly WrapperFamily[] = [
  { programs: ['npx', 'bunx', 'uvx', 'pnpx', 'pnx'], unwrap: ({ name, args }) => unwrapRunner(name, args) },
  { programs: ['corepack'], unwrap: ({ name, args }) => unwrapRunner(name, args) },
  { programs: Object.keys(RUNNING_VERBS), unwrap: unwrapVerb },
];

function unwrapRunner(through: string, args: readonly ShellWord[]): Unwrapped | null {
  const scanned = scanOptions(args, RUNNER_OPTIONS);
  const code = optionValues(scanned, '-c', '--call')[0];
  if (code !== undefined && hasOption(scanned, '-c', '--call'))
    return ownCover(`${through} -c`, scriptRun(code, `${through} -c`));
  const words = scanned.operands[0]?.value === '--' ? scanned.operands.slice(1) : scanned.operands;
  const [program, ...rest] = words;
  return ownCover(through, ...wordsRun(program === undefined ? [] : [withoutVersion(program), ...rest]));
}

/** `rimraf@5` runs `rimraf`, and `@scope/tool@1` its `tool`. */
function withoutVersion(word: ShellWord): ShellWord {
  const found = /^((?:@[^/@]+\/)?[^@/][^@]*)@[^/]*$/.exec(word.value ?? '');
  const bare = found?.[1];
  return bare === undefined ? word : { ...word, value: bare, lead: bare };
}

function unwrapVerb({ name, args }: ProgramCall): Unwrapped | null {
  const scanned = scanOptions(args, { ...RUNNER_OPTIONS, short: 'CFw' });
  const [verb, ...rest] = scanned.operands;
  const verbs = Object.hasOwn(RUNNING_VERBS, name) ? RUNNING_VERBS[name] : undefined;
  if (verb === undefined || verb.value === null || verbs === undefined || !verbs.includes(verb.value))
    return null;
  const through = `${name} ${verb.value}`;
  if (!OWN_OPERANDS.has(name)) return unwrapRunner(through, rest);
  const operands = scanOptions(rest, RUNNER_OPTIONS).operands.filter((word) => word.value !== '--');
  return ownCover(through, ...candidateRuns(operands));
}
