import { names } from '../names.js';
import { hasExactly, hasOption, optionValues, scanOptions, type OptionShape } from '../option-scan.js';
import { isStandardInput } from './shells.js';
import { opaqueRun, ownCover, type ProgramCall, type Unwrapped, type WrapperFamily } from './unwrap.js';

interface Interpreter {
  readonly programs: readonly string[];
  /** Options whose value is code. */
  readonly code: readonly string[];
  readonly shape: OptionShape;
  /** Sub-commands that take code: `deno eval`. */
  readonly evaluates?: readonly string[];
  /** Without operands it reads its standard input. */
  readonly readsInput: boolean;
  /** Options that name what to run, so no operand is needed: `python -m`. */
  readonly names?: readonly string[];
}

const INTERPRETERS: readonly Interpreter[] = [
  {
    programs: ['python', 'python2', 'python3', 'pypy', 'pypy3', 'micropython'],
    code: ['-c'],
    shape: { short: 'cmWX', stopAtOperand: true },
    readsInput: true,
    names: ['-m'],
  },
  {
    programs: ['node', 'nodejs', 'bun', 'tsx', 'ts-node'],
    code: ['-e', '-p', '--eval', '--print', '-pe'],
    shape: {
      short: 'eprC',
      long: ['eval', 'print', 'require', 'import', 'loader', 'env-file', 'conditions'],
      stopAtOperand: true,
    },
    readsInput: true,
    names: ['--test', '--run', '--check', '--watch'],
  },
  {
    programs: ['deno'],
    code: [],
    shape: { stopAtOperand: true },
    evaluates: ['eval', 'repl'],
    readsInput: true,
  },
  {
    programs: ['perl'],
    code: ['-e', '-E', '-n', '-p'],
    shape: { short: 'eEMmIxCF', stopAtOperand: true },
    readsInput: true,
  },
  {
    programs: ['ruby', 'jruby'],
    code: ['-e', '-n', '-p'],
    shape: { short: 'erICEFK', stopAtOperand: true },
    readsInput: true,
  },
  {
    programs: ['php'],
    code: ['-r', '-R', '-B', '-E', '-a'],
    shape: { short: 'rRBEFcdfzSt', stopAtOperand: true },
    readsInput: true,
    names: ['-f', '-S', '-m', '-i'],
  },
  {
    programs: ['lua', 'luajit', 'lua5.4', 'lua5.3'],
    code: ['-e'],
    shape: { short: 'el', stopAtOperand: true },
    readsInput: true,
  },
  {
    programs: names(`
      Rscript R julia groovy scala ghc runghc elixir iex swift osascript racket guile clojure raku
      octave
    `),
    code: ['-e', '-E', '--eval', '--execute', '-l', '-c', '--exec'],
    shape: { short: 'eElc', long: ['eval', 'exec', 'execute'], stopAtOperand: true },
    readsInput: true,
  },
  {
    programs: ['erl'],
    code: ['-eval', '-run', '-s'],
    shape: { words: ['-eval', '-run', '-s'] },
    readsInput: true,
  },
  {
    programs: ['tclsh', 'wish', 'expect'],
    code: ['-c'],
    shape: { short: 'cf', stopAtOperand: true },
    readsInput: true,
    names: ['-f'],
  },
  {
    programs: ['gdb', 'lldb'],
    code: names(`
      -ex -iex -eval-command --eval-command -init-eval-command --init-eval-command -o -O --one-line
      --one-line-before-file -x -ix -command --command -init-command --init-command -s -S --source
      --source-before-file
    `),
    shape: { words: ['-ex', '-iex', '-x', '-ix', '-o', '-O'] },
    readsInput: true,
  },
  {
    programs: ['pwsh', 'powershell'],
    code: ['-c', '-Command', '-command', '-EncodedCommand', '-enc', '-e'],
    shape: { words: ['-Command', '-c', '-File'] },
    readsInput: true,
    names: ['-File', '-f'],
  },
  { programs: ['cmd'], code: [], shape: {}, readsInput: true },
];

/** Programs that run code they are handed. A script *file* is a program like any other and stays ordinary. */
export const INTERPRETER_WRAPPERS: readonly WrapperFamily[] = [
  ...INTERPRETERS.map((one) => ({
    programs: one.programs,
    unwrap: (call: ProgramCall) => unwrapInterpreter(one, call),
  })),
  {
    programs: ['sqlite3', 'psql', 'mysql', 'mariadb', 'duckdb'],
    // Their own commands reach a shell: `.shell`, `\\!`, `system`.
    unwrap: ({ name, args }) =>
      args.some(
        (word) =>
          word.value === null ||
          /^\s*\.(?!tables|schema|mode|headers?|databases|indexes|dump)|\\!|^\s*system\s/.test(word.value),
      )
        ? ownCover(name, opaqueRun(`${name} with commands of its own`))
        : null,
  },
  {
    programs: ['rename', 'prename', 'file-rename'],
    // Perl's rename evaluates its first operand; the other one only takes plain text.
    unwrap: ({ name, args }) =>
      args.some((word) => word.value === null || /^(?:s|y|tr)\W|[;$`]/.test(word.value))
        ? ownCover(name, opaqueRun(`${name} of an expression`))
        : null,
  },
  {
    programs: ['vi', 'vim', 'nvim', 'ex', 'view', 'emacs', 'ed'],
    // An editor without a person runs its commands, and those can run a shell.
    unwrap: ({ name, args, fetchedInput }) => {
      if (hasExactly(scanOptions(args), '--version', '--help', '-h')) return null;
      return ownCover(name, opaqueRun(`${name} runs commands of its own`, fetchedInput));
    },
  },
];

function unwrapInterpreter(one: Interpreter, call: ProgramCall): Unwrapped | null {
  const { name, args, fetchedInput } = call;
  const scanned = scanOptions(args, one.shape);
  const fetchedWord = args.some((word) => word.fetched);
  const coded = one.code.find((option) => hasOption(scanned, option));
  if (coded !== undefined) return ownCover(`${name} ${coded}`, opaqueRun(`${name} ${coded}`, fetchedWord));
  const moduleName = optionValues(scanned, '-m')[0]?.value;
  if (moduleName === 'timeit' || moduleName === 'code' || moduleName === 'pdb') {
    return ownCover(`${name} -m ${moduleName}`, opaqueRun(`${name} -m ${moduleName}`, fetchedWord));
  }
  const first = scanned.operands[0];
  const verb = first?.value;
  if (verb !== null && verb !== undefined && one.evaluates?.includes(verb)) {
    return ownCover(`${name} ${verb}`, opaqueRun(`${name} ${verb}`, fetchedWord));
  }
  if (hasExactly(scanned, '--version', '--help', '-V', '-v', '-h') && first === undefined) return null;
  if (one.names !== undefined && hasOption(scanned, ...one.names)) return null;
  if (first === undefined || verb === '-' || isStandardInput(first)) {
    const reason = fetchedInput ? `fetched code piped to ${name}` : `code on the standard input of ${name}`;
    return one.readsInput ? ownCover(name, opaqueRun(reason, fetchedInput)) : null;
  }
  if (fetchedWord) return ownCover(name, opaqueRun(`fetched code run by ${name}`, true));
  if (verb === null) return ownCover(name, opaqueRun(`${name} of code that is not static`));
  return null;
}
