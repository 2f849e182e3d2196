import { names } from '../names.js';
import { hasOption, isOption, optionValues, scanOptions, type OptionShape } from '../option-scan.js';
import { runtimeWord, staticWord, type ShellWord } from '../shell-word.js';
import { unwrapShopt } from './shell-settings.js';
import {
  candidateRuns,
  joinedRuns,
  opaqueRun,
  ownCover,
  scriptRun,
  wordsRun,
  type InnerRun,
  type ProgramCall,
  type Unwrapped,
  type WrapperFamily,
} from './unwrap.js';

/** Wrappers that change who runs the command, where, with which environment or how often. */
export const OWN_COVER_WRAPPERS: readonly WrapperFamily[] = [
  { programs: ['env', 'genv'], unwrap: unwrapEnv },
  simple(['exec'], { short: 'a' }, 0, true),
  { programs: ['sudo', 'doas', 'run0', 'sudoedit'], unwrap: unwrapSudo },
  { programs: ['su', 'runuser', 'machinectl'], unwrap: unwrapSu },
  simple(['pkexec'], { long: ['user'] }),
  { programs: ['xargs', 'gxargs'], unwrap: unwrapXargs },
  { programs: ['parallel', 'rush', 'sem'], unwrap: unwrapParallel },
  simple(
    names(`
      setsid fakeroot dbus-run-session unbuffer catchsegv valgrind linux32 linux64 eatmydata torsocks
      caffeinate proxychains proxychains4 chronic heaptrack nq tsp daemonize
    `),
    {},
  ),
  simple(
    names(`
      setpriv prlimit choom taskset chrt numactl cpulimit trickle rlwrap systemd-inhibit firejail
      ltrace gdbserver uftrace ssh-agent dbus-launch dtach abduco onchange reflex rr xvfb-run with dotenv direnv cross-env faketime i386
      setarch lxc-attach
    `),
    {},
    'search',
  ),
  simple(['stdbuf'], { short: 'ioe', long: ['input', 'output', 'error'] }),
  simple(['ionice'], { short: 'cnpPu', long: ['class', 'classdata'] }),
  simple(['chroot'], { long: ['userspec', 'groups'] }, 1),
  simple(
    ['proot'],
    {
      short: 'rbmqwvkiRS',
      long: ['rootfs', 'bind', 'mount', 'qemu', 'pwd', 'cwd', 'verbose', 'kernel-release', 'change-id'],
    },
    'search',
  ),
  simple(['unshare', 'nsenter'], { short: 'tSG', long: ['target', 'setuid', 'setgid'] }, 'search'),
  simple(
    ['strace', 'perf', 'systemd-run', 'nix', 'time-limit', 'script-exec'],
    { short: 'eopsuPEIOSabX' },
    'search',
  ),
  {
    programs: ['watch'],
    unwrap: ({ args }) =>
      joined(
        'watch',
        scanOptions(args, { short: 'nq', long: ['interval', 'equexit'], stopAtOperand: true }).operands,
      ),
  },
  {
    programs: ['eval'],
    unwrap: ({ args }) =>
      sameShell(
        joined(
          'eval',
          args.filter((word) => word.value !== '--'),
        ),
      ),
  },
  { programs: ['trap'], unwrap: unwrapTrap },
  { programs: ['alias'], unwrap: unwrapAlias },
  { programs: ['shopt'], unwrap: unwrapShopt },
  { programs: ['flock'], unwrap: unwrapFlock },
  { programs: ['script'], unwrap: unwrapScript },
  {
    programs: ['busybox', 'toybox'],
    unwrap: ({ name, args }) =>
      ownCover(name, ...wordsRun(scanOptions(args, { stopAtOperand: true }).operands)),
  },
  { programs: ['mapfile', 'readarray', 'compgen', 'complete'], unwrap: unwrapCallback },
  { programs: ['hash', 'enable', 'bind', 'coproc'], unwrap: unwrapRebinding },
  {
    programs: ['at', 'batch'],
    unwrap: ({ name, args }) => {
      const scanned = scanOptions(args, { short: 'fqt' });
      if (hasOption(scanned, '-l', '-r', '-d', '-c')) return null;
      const reason = hasOption(scanned, '-f') ? `${name} -f` : `code on the standard input of ${name}`;
      return ownCover(name, opaqueRun(reason));
    },
  },
];

/** Wrappers of one shape: options, `skip` operands of their own, then the command. `search` = wherever it starts. */
function simple(
  programs: readonly string[],
  shape: OptionShape,
  skip: number | 'search' = 0,
  inShell = false,
): WrapperFamily {
  const unwrap = ({ name, args }: ProgramCall): Unwrapped | null => {
    const scanned = scanOptions(args, { ...shape, stopAtOperand: true });
    if (skip !== 'search') {
      const found = ownCover(name, ...wordsRun(scanned.operands.slice(skip)));
      return inShell ? sameShell(found) : found;
    }
    // Options differ too much from program to program: every place where the command could start is looked at.
    return ownCover(name, ...candidateRuns(scanned.operands));
  };
  return { programs, unwrap };
}

function sameShell(found: Unwrapped | null): Unwrapped | null {
  return found === null ? null : { ...found, sameShell: true };
}

/** Words joined by blanks are code, as `eval` and `watch` see them. */
function joined(name: string, words: readonly ShellWord[]): Unwrapped | null {
  return ownCover(name, ...joinedRuns(words, name));
}

function unwrapEnv({ args }: ProgramCall): Unwrapped | null {
  const scanned = scanOptions(args, {
    short: 'uCSP',
    long: ['unset', 'chdir', 'split-string'],
    stopAtOperand: true,
  });
  const split = optionValues(scanned, '-S', '--split-string');
  const isAssignment = (word: ShellWord): boolean => /^[A-Za-z_]\w*=/.test(word.value ?? word.lead);
  const start = scanned.operands.findIndex((word) => !isAssignment(word));
  const words = start < 0 ? [] : scanned.operands.slice(start);
  const folder = optionValues(scanned, '-C', '--chdir')[0];
  // -S splits one word the way a shell would, and appends the remaining words.
  const runs = split.length > 0 ? [splitRun(split, scanned.operands)] : wordsRun(words);
  const found = ownCover('env', ...runs);
  return found === null || folder === undefined ? found : { ...found, folder };
}

function splitRun(split: readonly ShellWord[], rest: readonly ShellWord[]): InnerRun {
  const all = [...split, ...rest].map((word) => word.value);
  return all.includes(null)
    ? opaqueRun('env -S of words that are not static')
    : { kind: 'script', text: `env ${all.join(' ')}` };
}

const SUDO: OptionShape = {
  short: 'aCcDghpRrTtuU',
  long: names(`
    chdir chroot close-from command-timeout group host login-class other-user prompt role type user
  `),
  stopAtOperand: true,
};

function unwrapSudo({ name, args }: ProgramCall): Unwrapped | null {
  const scanned = scanOptions(args, SUDO);
  const start = scanned.operands.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word.value ?? word.lead));
  const words = start < 0 ? [] : scanned.operands.slice(start);
  if (hasOption(scanned, '-e', '--edit') || name === 'sudoedit') return null;
  // `sudo -s` and `-i` hand their words to a shell; without any they read code from the standard input.
  if (hasOption(scanned, '-s', '-i', '--shell', '--login') && words.length === 0) {
    return ownCover(name, opaqueRun(`code on the standard input of ${name} -s`));
  }
  const folder = optionValues(scanned, '-D', '--chdir')[0];
  const found = ownCover(name, ...wordsRun(words));
  return found === null || folder === undefined ? found : { ...found, folder };
}

function unwrapSu({ name, args, fetchedInput }: ProgramCall): Unwrapped | null {
  const scanned = scanOptions(args, {
    short: 'cgGsuw',
    long: ['command', 'session-command', 'group', 'shell', 'user'],
  });
  const code = optionValues(scanned, '-c', '--command', '--session-command');
  if (code.length > 0) return ownCover(`${name} -c`, ...code.map((word) => scriptRun(word, `${name} -c`)));
  if (hasOption(scanned, '-u', '--user')) return ownCover(name, ...wordsRun(scanned.operands));
  return ownCover(name, opaqueRun(`code on the standard input of ${name}`, fetchedInput));
}

const APPENDED = runtimeWord('…');

function unwrapXargs({ args }: ProgramCall): Unwrapped | null {
  const shape = {
    short: 'aEdILnPsJRS',
    long: ['arg-file', 'delimiter', 'max-lines', 'max-args', 'max-procs', 'max-chars', 'process-slot-var'],
    stopAtOperand: true,
  };
  const scanned = scanOptions(args, shape);
  const words = scanned.operands.length > 0 ? scanned.operands : [staticWord('echo')];
  const holder =
    optionValues(scanned, '-I', '-J')[0]?.value ??
    (scanned.options.some((one) => isOption(one, '-i') || isOption(one, '--replace')) ? '{}' : null);
  return ownCover('xargs', ...wordsRun(filled(words, holder)));
}

/** The words that `xargs` or `parallel` completes: with a placeholder where that stands, else behind the last one. */
function filled(words: readonly ShellWord[], holder: string | null): ShellWord[] {
  if (holder === null || holder === '') return [...words, APPENDED];
  return words.map((word) =>
    word.value?.includes(holder)
      ? { ...runtimeWord(word.text), lead: word.value.slice(0, word.value.indexOf(holder)) }
      : word,
  );
}

function unwrapParallel({ name, args, fetchedInput }: ProgramCall): Unwrapped | null {
  const scanned = scanOptions(args, {
    short: 'jaISNnLPdEC',
    long: names(`
      jobs arg-file colsep joblog results sshlogin workdir tmpdir delay timeout halt
    `),
    stopAtOperand: true,
  });
  const end = scanned.operands.findIndex((word) => /^:::/.test(word.value ?? ''));
  const words = end < 0 ? scanned.operands : scanned.operands.slice(0, end);
  if (words.length === 0) return ownCover(name, opaqueRun(`commands that ${name} reads`, fetchedInput));
  // The words are joined and given to a shell, with the arguments put in for {} or behind.
  const runs = joinedRuns(words, name).map((run): InnerRun => {
    if (run.kind !== 'script') return run;
    const filledIn = run.text.replaceAll(/\{[^{}\s]*\}/g, '"$1"');
    return { kind: 'script', text: filledIn === run.text ? `${run.text} "$1"` : filledIn };
  });
  return ownCover(name, ...runs);
}

function unwrapTrap({ args }: ProgramCall): Unwrapped | null {
  const scanned = scanOptions(args, { stopAtOperand: true });
  const action = scanned.operands[0];
  if (
    hasOption(scanned, '-l', '-p') ||
    scanned.operands.length < 2 ||
    action?.value === '' ||
    action?.value === '-'
  )
    return null;
  return ownCover('trap', scriptRun(action, 'trap'));
}

/** An alias is code under another name, run where the name is used later, with the words that follow it there. */
function unwrapAlias({ args }: ProgramCall): Unwrapped | null {
  const bodies = args.filter((word) => word.value === null || word.value.includes('='));
  return ownCover(
    'alias',
    ...bodies.flatMap((word): readonly InnerRun[] => {
      if (word.value === null) return [opaqueRun('alias of code that is not static')];
      const text = word.value.slice(word.value.indexOf('=') + 1);
      return [
        { kind: 'script', text },
        { kind: 'script', text: `${text} "$@"` },
      ];
    }),
  );
}

function unwrapFlock({ args }: ProgramCall): Unwrapped | null {
  const scanned = scanOptions(args, {
    short: 'wEc',
    long: ['wait', 'timeout', 'conflict-exit-code', 'command'],
    stopAtOperand: true,
  });
  const behind = scanned.operands.slice(1);
  const code =
    optionValues(scanned, '-c', '--command')[0] ?? (behind[0]?.value === '-c' ? behind[1] : undefined);
  return ownCover('flock', ...(code === undefined ? wordsRun(behind) : [scriptRun(code, 'flock -c')]));
}

function unwrapScript({ args }: ProgramCall): Unwrapped | null {
  const shape = { short: 'cITtOBEom', long: ['command', 'log-in', 'log-out', 'log-io', 'log-timing'] };
  const code = optionValues(scanOptions(args, shape), '-c', '--command');
  // Linux takes -c wherever it stands, BSD takes the words behind the file: each is looked at.
  const words = scanOptions(args, { ...shape, stopAtOperand: true }).operands.slice(1);
  const runs = [...code.map((word) => scriptRun(word, 'script -c')), ...wordsRun(words)];
  const stdin = opaqueRun('code on the standard input of script');
  return ownCover('script', ...(runs.length > 0 ? runs : [stdin]));
}

function unwrapCallback({ name, args }: ProgramCall): Unwrapped | null {
  const shape = name === 'mapfile' || name === 'readarray' ? { short: 'dnOsuCc' } : { short: 'CFWAGPSoX' };
  const code = optionValues(
    scanOptions(args, shape),
    '-C',
    ...(shape.short.startsWith('C') ? ['-F', '-W'] : []),
  );
  return ownCover(`${name} -C`, ...code.map((word) => scriptRun(word, `${name} -C`)));
}

/** Builtins that make a name mean another program, or load code into the shell. */
function unwrapRebinding({ name, args }: ProgramCall): Unwrapped | null {
  const changes = hasOption(scanOptions(args, { short: 'pfx' }), '-p', '-f', '-x', '-n') && args.length > 1;
  return changes ? ownCover(name, opaqueRun(`${name} changes what later commands mean`)) : null;
}
