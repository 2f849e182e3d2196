import { names } from '../names.js';
import { hasOption, optionValues, scanOptions, type OptionShape } from '../option-scan.js';
import { runtimeWord, type ShellWord } from '../shell-word.js';
import { withDash } from '../effects/archives.js';
import { readAwkProgram } from '../awk-program.js';
import { readSedScripts } from '../sed-script.js';
import { gitPrograms } from './git-programs.js';
import {
  opaqueRun,
  ownCover,
  scriptRun,
  wordsRun,
  type InnerRun,
  type ProgramCall,
  type Unwrapped,
  type WrapperFamily,
} from './unwrap.js';

interface RunningOption {
  readonly programs: readonly string[];
  readonly shape: OptionShape;
  /** Options whose value is a program, or shell code. */
  readonly options: readonly string[];
}

/** Options that make an otherwise harmless program run another one. */
const RUNNING_OPTIONS: readonly RunningOption[] = [
  {
    programs: ['sort', 'gsort'],
    shape: {
      short: 'koStT',
      long: ['compress-program', 'key', 'output', 'buffer-size', 'temporary-directory', 'field-separator'],
    },
    options: ['--compress-program'],
  },
  {
    programs: ['rg'],
    shape: { short: 'ABCEefgjmMrtTd', long: ['pre', 'hostname-bin', 'pre-glob', 'glob', 'type'] },
    options: ['--pre', '--hostname-bin'],
  },
  { programs: ['ag', 'pt'], shape: { short: 'ABCGgmp', long: ['pager'] }, options: ['--pager'] },
  { programs: ['ack'], shape: { long: ['pager', 'ackrc'] }, options: ['--pager'] },
  {
    programs: ['man'],
    shape: { short: 'CRLmMSseErPpHT', long: ['pager', 'html', 'preprocessor'] },
    options: ['-P', '--pager', '-H', '--html'],
  },
  {
    programs: ['tar', 'gtar', 'bsdtar'],
    shape: {
      short: 'fCIbgKLNTVXFH',
      long: names(`
        file directory use-compress-program to-command checkpoint-action info-script new-volume-script
        rmt-command rsh-command
      `),
    },
    options: names(`
      --use-compress-program -I --to-command --info-script --new-volume-script -F --rmt-command
      --rsh-command
    `),
  },
  { programs: ['split', 'gsplit'], shape: { short: 'abClnt', long: ['filter'] }, options: ['--filter'] },
  { programs: ['less', 'more', 'most'], shape: { short: 'boOpPtTxyzj' }, options: [] },
  {
    programs: ['wget'],
    shape: { long: ['use-askpass', 'config', 'execute'], short: 'eoOPiaBtTwQUlADIRX' },
    options: ['--use-askpass'],
  },
  { programs: ['bat', 'batcat', 'delta'], shape: { long: ['pager'] }, options: ['--pager'] },
  {
    programs: ['go'],
    shape: { words: ['-exec', '-toolexec', '-vettool'] },
    options: ['-exec', '-toolexec', '-vettool'],
  },
  {
    programs: ['nix-shell'],
    shape: { short: 'iIAEjop', long: ['run', 'command', 'attr', 'keep', 'exclude', 'packages'] },
    options: ['--run', '--command'],
  },
  { programs: ['cmake', 'ninja', 'gmake'], shape: {}, options: [] },
];

export const OPTION_PROGRAM_WRAPPERS: readonly WrapperFamily[] = [
  ...RUNNING_OPTIONS.filter((one) => one.options.length > 0 && one.programs[0] !== 'tar').map((one) => ({
    programs: one.programs,
    unwrap: (call: ProgramCall) => ownCover(`${call.name} option`, ...optionRuns(one, call)),
  })),
  { programs: ['tar', 'gtar', 'bsdtar'], unwrap: unwrapTar },
  { programs: ['zip'], unwrap: ({ name, args }) => ownCover(`${name} -TT`, ...zipRuns(args)) },
  { programs: ['find', 'gfind', 'bfs'], unwrap: unwrapFind },
  { programs: ['fd', 'fdfind'], unwrap: unwrapFd },
  { programs: ['sed', 'gsed'], unwrap: unwrapSed },
  { programs: ['awk', 'gawk', 'mawk', 'nawk', 'original-awk'], unwrap: unwrapAwk },
  { programs: ['git'], unwrap: (call) => ownCover('git option', ...gitPrograms(call.args)) },
  { programs: ['make', 'gmake'], unwrap: ({ name, args }) => ownCover(name, ...makeRuns(args)) },
  { programs: ['just'], unwrap: unwrapJust },
  {
    programs: ['task', 'go-task'],
    unwrap: ({ name, args }) =>
      optionValues(scanOptions(args, TASK), '-t', '--taskfile').some((word) => isStream(word.value))
        ? ownCover(name, opaqueRun(`${name} of a stream`))
        : null,
  },
];

/** An argument that is not static may be the very option that runs a program. */
function optionRuns(one: RunningOption, { name, args }: ProgramCall): InnerRun[] {
  const scanned = scanOptions(args, one.shape);
  const runs = optionValues(scanned, ...one.options).map((word) =>
    scriptRun(word, `${name} ${one.options[0] ?? ''}`),
  );
  return scanned.dynamic ? [...runs, opaqueRun(`${name} with options that are not static`)] : runs;
}

function unwrapTar(given: ProgramCall): Unwrapped | null {
  const call = { ...given, args: withDash(given.args) };
  const one = RUNNING_OPTIONS.find((entry) => entry.programs[0] === 'tar');
  if (one === undefined) return null;
  const scanned = scanOptions(call.args, one.shape);
  const actions = optionValues(scanned, '--checkpoint-action').flatMap((word): InnerRun[] => {
    if (word.value === null) return [opaqueRun('tar --checkpoint-action that is not static')];
    return word.value.startsWith('exec=') ? [{ kind: 'script', text: word.value.slice(5) }] : [];
  });
  return ownCover('tar option', ...optionRuns(one, call), ...actions);
}

const FIND_RUNNERS = new Set(['-exec', '-execdir', '-ok', '-okdir']);

function unwrapFind({ args }: ProgramCall): Unwrapped | null {
  const runs: InnerRun[] = [];
  let through = 'find -exec';
  const from = findStart(args);
  for (let at = 0; at < args.length; at++) {
    const option = args[at]?.value;
    if (option === null || option === undefined || !FIND_RUNNERS.has(option)) continue;
    let end = at + 1;
    while (
      end < args.length &&
      args[end]?.value !== ';' &&
      !(args[end]?.value === '+' && args[end - 1]?.value === '{}')
    )
      end++;
    through = `find ${option}`;
    runs.push(
      ...wordsRun(
        args.slice(at + 1, end).map((word) => (word.value?.includes('{}') ? placeholder(word, from) : word)),
      ),
    );
    at = end;
  }
  return ownCover(through, ...runs);
}

/** `{}` lies below where the search starts; several starts, or an unknown one, leave it unknown. */
function placeholder(word: ShellWord, from: string | null): ShellWord {
  return word.value === '{}' && from !== null ? runtimeWord(word.text, from) : runtimeWord(word.text);
}

function findStart(args: readonly ShellWord[]): string | null {
  const starts: ShellWord[] = [];
  for (const word of args) {
    if (word.value === null || /^[-(!]/.test(word.value)) break;
    starts.push(word);
  }
  if (starts.length === 0) return './';
  const only = starts.length === 1 ? starts[0] : undefined;
  return only === undefined || only.tilde ? null : (only.base ?? only.value);
}

function unwrapFd({ name, args }: ProgramCall): Unwrapped | null {
  const at = args.findIndex((word) => /^(?:-x|-X|--exec|--exec-batch)$/.test(word.value ?? ''));
  if (at < 0) return null;
  const words = args.slice(at + 1).map((word) => (word.value?.includes('{') ? runtimeWord(word.text) : word));
  return ownCover(`${name} -x`, ...wordsRun([...words, runtimeWord('{}')]));
}

function unwrapSed({ name, args }: ProgramCall): Unwrapped | null {
  const script = readSedScripts(args);
  return ownCover(
    `${name} e`,
    ...script.runs.map((text): InnerRun =>
      text === null ? opaqueRun(`${name} runs what it edits`) : { kind: 'script', text },
    ),
    ...(script.unreadable === null ? [] : [opaqueRun(script.unreadable)]),
    ...(script.dynamic ? [opaqueRun(`${name} with options that are not static`)] : []),
  );
}

function unwrapAwk({ name, args }: ProgramCall): Unwrapped | null {
  const program = readAwkProgram(args);
  return program.runs === null ? null : ownCover(name, opaqueRun(`${name}: ${program.runs}`));
}

/** zip's two-letter options stand in clusters too: `-rTT cmd` and `-TTcmd` name the command that tests the archive. */
function zipRuns(args: readonly ShellWord[]): InnerRun[] {
  return args.flatMap((word, at) => {
    const found = /^(?:-[A-Za-z@]*TT|--unzip-c[a-z-]*)=?(.*)$/s.exec(word.value ?? word.lead);
    if (found === null) return [];
    if (word.value === null) return [opaqueRun('zip -TT that is not static')];
    const text = found[1] === '' ? args[at + 1]?.value : found[1];
    return [typeof text === 'string' ? { kind: 'script', text } : opaqueRun('zip -TT that is not static')];
  });
}

/** make evaluates assignments, --eval text and a makefile on stdin as code, which can run a shell. */
function makeRuns(args: readonly ShellWord[]): InnerRun[] {
  const scanned = scanOptions(args, { short: 'CfIjloWE', long: ['eval', 'directory', 'file', 'makefile'] });
  const evaluates =
    hasOption(scanned, '--eval', '-E') ||
    optionValues(scanned, '-f', '--file', '--makefile').some((word) => isStream(word.value)) ||
    scanned.operands.some((word) => /^\w+\s*[:+?!]?=.*\$\(shell\b|^SHELL=/.test(word.value ?? ''));
  return evaluates || scanned.dynamic ? [opaqueRun('make of code on its command line')] : [];
}

const TASK: OptionShape = {
  short: 'tdCIo',
  long: ['taskfile', 'dir', 'concurrency', 'interval', 'output'],
};

const JUST: OptionShape = {
  short: 'fdcE',
  long: names(`
    justfile working-directory command shell shell-arg chooser dotenv-path dotenv-filename color cygpath
    tempdir alias-style dump-format
  `),
  stopAtOperand: true,
};

/** Recipes are the project's own, as for make; `--command` and the programs that options name are not. */
function unwrapJust({ name, args }: ProgramCall): Unwrapped | null {
  const at = args.findIndex((word) => /^(?:-c|--command)$/.test(word.value ?? ''));
  const scanned = scanOptions(at < 0 ? args : args.slice(0, at), JUST);
  const programs = optionValues(scanned, '--shell', '--shell-arg', '--chooser');
  return ownCover(
    name,
    ...(at < 0 ? [] : wordsRun(args.slice(at + 1))),
    ...(programs.length > 0 ? [opaqueRun(`${name} with a shell of its own`)] : []),
    ...(optionValues(scanned, '-f', '--justfile').some((word) => isStream(word.value))
      ? [opaqueRun(`${name} of a stream`)]
      : []),
  );
}

/** Where make would read a makefile that is no file of the project; what is not static may be one. */
function isStream(file: string | null): boolean {
  return file === null || file === '-' || /^\/(?:dev\/(?:stdin|fd)|proc\/self\/fd)\b/.test(file);
}
