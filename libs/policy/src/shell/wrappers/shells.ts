import { names } from '../names.js';
import type { ShellWord } from '../shell-word.js';
import { settingRuns } from './shell-settings.js';
import { opaqueRun, scriptRun, type ProgramCall, type Unwrapped, type WrapperFamily } from './unwrap.js';

export const SHELLS: readonly string[] = names(`
  sh bash dash zsh ksh ash mksh rbash busybox-sh fish csh tcsh
`);

/** Letters of `set` and of invocation that neither read a start-up file nor take a value. */
const PLAIN_LETTERS = /^[-+][abefghklmnptuvxBCEHPTrc]*$/;
const PLAIN_LONG = new Set(
  names(`
  --login --noprofile --norc --posix --verbose --noediting --restricted
`),
);

export const SHELL_WRAPPERS: readonly WrapperFamily[] = [
  { programs: SHELLS, unwrap: unwrapShell },
  { programs: ['source', '.'], unwrap: unwrapSource },
];

/** A sourced file is a script like any other; a stream is code that nobody has seen. */
function unwrapSource({ name, args, fetchedInput }: ProgramCall): Unwrapped | null {
  const file = args[0]?.value === '--' ? args[1] : args[0];
  if (file === undefined) return null;
  if (file.fetched || (isStandardInput(file) && fetchedInput))
    return opaque(name, `fetched code run by ${name}`, true);
  return isStandardInput(file) || /^[<>]\(/.test(file.text) ? opaque(name, `${name} of a stream`) : null;
}

interface ShellOptions {
  readonly code: boolean;
  readonly stdin: boolean;
  /** Options that only set modes; anything else needs its own cover. */
  readonly plain: boolean;
  readonly information: boolean;
  /** An option that is not static: it may be `-c`. */
  readonly dynamic: boolean;
  readonly operands: readonly ShellWord[];
}

function unwrapShell(call: ProgramCall): Unwrapped | null {
  const { name, args, fetchedInput } = call;
  const options = readShellOptions(args);
  if (options.information) return null;
  const first = options.operands[0];
  const cover = options.plain && isBourne(name) ? 'transparent' : 'own-cover';
  if (options.dynamic)
    return opaque(
      name,
      `${name} with options that are not static`,
      args.some((word) => word.fetched),
    );
  if (options.code) {
    // Other shells have another grammar, so bash's reading of the code would be a guess.
    if (/^(?:fish|csh|tcsh)$/.test(name)) return opaque(`${name} -c`, `${name} -c`, first?.fetched);
    return {
      through: `${name} -c`,
      cover,
      runs: [
        scriptRun(first, `${name} -c`),
        ...settingRuns(args.slice(0, args.length - options.operands.length)),
      ],
    };
  }
  if (options.stdin || first === undefined || first.value === '-' || isStandardInput(first)) {
    return opaque(
      name,
      fetchedInput ? `fetched code piped to ${name}` : `code on the standard input of ${name}`,
      fetchedInput,
    );
  }
  if (first.fetched) return opaque(name, `fetched code piped to ${name}`, true);
  return first.value === null ? opaque(name, `${name} of a script that is not static`, false) : null;
}

function opaque(through: string, reason: string, fetched = false): Unwrapped {
  return { through, cover: 'own-cover', runs: [opaqueRun(reason, fetched)] };
}

function isBourne(name: string): boolean {
  return name !== 'fish' && name !== 'csh' && name !== 'tcsh' && name !== 'zsh';
}

/** Spellings of standard input that would otherwise pass for a script file. */
export function isStandardInput(word: ShellWord): boolean {
  return word.value !== null && /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/[^/]+\/fd\/\d+)$/.test(word.value);
}

function readShellOptions(args: readonly ShellWord[]): ShellOptions {
  let code = false;
  let stdin = false;
  let plain = true;
  let information = false;
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at];
    const text = word?.value ?? null;
    if (text === null) {
      const dynamic = word?.splits === true || word?.lead === '' || word?.lead.startsWith('-') === true;
      return {
        code,
        stdin,
        plain,
        information,
        dynamic: dynamic && !code && isNotSubstituted(word),
        operands: args.slice(at),
      };
    }
    if (text === '--' || text === '-') {
      at++;
      break;
    }
    if (!/^[-+]./.test(text)) break;
    if (text.startsWith('--')) {
      information ||= text === '--version' || text === '--help';
      plain &&= PLAIN_LONG.has(text);
      if (text === '--rcfile' || text === '--init-file') at++;
      continue;
    }
    code ||= text.startsWith('-') && text.includes('c');
    stdin ||= text.startsWith('-') && text.includes('s');
    plain &&=
      PLAIN_LETTERS.test(text) ||
      (/^-[a-zA-Z]*l[a-zA-Z]*$/.test(text) && PLAIN_LETTERS.test(text.replaceAll('l', '')));
    // `-o name` and `-O name` take a word each, also inside a cluster.
    at += text.replaceAll(/[^oO]/g, '').length;
  }
  return { code, stdin, plain, information, dynamic: false, operands: args.slice(at) };
}

/** `bash <(…)` runs that very output as a script: it is no option. */
function isNotSubstituted(word: ShellWord | undefined): boolean {
  return word !== undefined && !/^[<>]\(/.test(word.text);
}
