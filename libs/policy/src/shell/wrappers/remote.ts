import { names } from '../names.js';
import { hasOption, optionValues, scanOptions, type OptionShape } from '../option-scan.js';
import type { ShellWord } from '../shell-word.js';
import {
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

/** Programs that run a command on another machine or in a container. What they run counts as if it ran here. */
export const REMOTE_WRAPPERS: readonly WrapperFamily[] = [
  { programs: ['ssh', 'autossh', 'mosh'], unwrap: unwrapSsh },
  { programs: ['scp', 'sftp'], unwrap: unwrapCopy },
  { programs: ['docker', 'podman', 'nerdctl'], unwrap: unwrapContainer },
  {
    programs: ['docker-compose', 'podman-compose'],
    unwrap: ({ name, args }) =>
      containerVerb(name, scanOptions(args, { short: 'fpH', stopAtOperand: true }).operands),
  },
  { programs: ['kubectl', 'oc'], unwrap: unwrapKubectl },
  { programs: ['nc', 'ncat', 'netcat', 'socat'], unwrap: unwrapNetcat },
  { programs: ['rsync'], unwrap: unwrapRsync },
];

const SSH: OptionShape = { short: 'BbcDEeFIiJLlmOopQRSWw', stopAtOperand: true };
const SSH_PROGRAMS = /^\s*(?:proxycommand|localcommand|knownhostscommand|match|include)\b/i;

function sshOptionRuns(values: readonly ShellWord[], name: string): InnerRun[] {
  return values.flatMap((word): InnerRun[] => {
    if (word.value === null) return [opaqueRun(`${name} -o with a value that is not static`)];
    if (!SSH_PROGRAMS.test(word.value)) return [];
    return [{ kind: 'script', text: word.value.replace(/^\s*\w+\s*=?\s*/, '') }];
  });
}

function unwrapSsh({ name, args, fetchedInput, fedInput }: ProgramCall): Unwrapped | null {
  const scanned = scanOptions(args, SSH);
  const runs = sshOptionRuns(optionValues(scanned, '-o'), name);
  // Options may also follow the host; then comes the command, joined by blanks, for the remote shell.
  const behind = scanOptions(scanned.operands.slice(1), SSH);
  runs.push(...sshOptionRuns(optionValues(behind, '-o'), name));
  const command = behind.operands;
  if (command.length > 0) {
    runs.push(...joinedRuns(command, name));
  } else if (fedInput || fetchedInput) {
    runs.push(opaqueRun(`code on the standard input of ${name}`, fetchedInput));
  }
  return ownCover(name, ...runs);
}

function unwrapCopy({ name, args }: ProgramCall): Unwrapped | null {
  const scanned = scanOptions(args, { short: 'cFiJloPSDX' });
  const programs = optionValues(scanned, '-S');
  return ownCover(
    name,
    ...sshOptionRuns(optionValues(scanned, '-o'), name),
    ...programs.map((word) => scriptRun(word, `${name} -S`)),
  );
}

const CONTAINER_RUN: OptionShape = {
  short: 'acehlmpuvwf',
  long: names(`
    add-host cap-add cap-drop cpus cpuset-cpus device dns entrypoint env env-file gpus hostname index
    ip label link log-driver memory mount name network net pid ipc platform publish pull restart
    runtime security-opt shm-size stop-signal sysctl tmpfs ulimit user userns volume volumes-from
    workdir detach-keys file project-name
  `),
  stopAtOperand: true,
};

function unwrapContainer({ name, args }: ProgramCall): Unwrapped | null {
  const top = scanOptions(args, {
    short: 'Hlc',
    long: ['host', 'context', 'config', 'log-level'],
    stopAtOperand: true,
  });
  const [verb, ...rest] = top.operands;
  if (verb?.value === 'container' || verb?.value === 'compose') {
    return containerVerb(
      `${name} ${verb.value}`,
      scanOptions(rest, {
        short: 'fp',
        long: ['file', 'project-name', 'profile', 'env-file'],
        stopAtOperand: true,
      }).operands,
    );
  }
  return containerVerb(name, top.operands);
}

function containerVerb(name: string, operands: readonly ShellWord[]): Unwrapped | null {
  const [verb, ...rest] = operands;
  if (verb?.value !== 'run' && verb?.value !== 'exec' && verb?.value !== 'create') return null;
  const scanned = scanOptions(rest, CONTAINER_RUN);
  const entry = optionValues(scanned, '--entrypoint');
  const words = scanned.operands.slice(1);
  return ownCover(`${name} ${verb.value}`, ...wordsRun([...entry, ...words]));
}

function unwrapKubectl({ name, args }: ProgramCall): Unwrapped | null {
  const verb = scanOptions(args, {
    short: 'ns',
    long: ['namespace', 'context', 'kubeconfig', 'cluster', 'user', 'server'],
    stopAtOperand: true,
  }).operands[0];
  const divider = args.findIndex((word) => word.value === '--');
  if (verb?.value !== 'exec' && verb?.value !== 'run' && verb?.value !== 'debug') return null;
  return divider < 0 ? null : ownCover(`${name} ${verb.value}`, ...wordsRun(args.slice(divider + 1)));
}

/** `nc -e` and socat's EXEC and SYSTEM addresses hand the connection to a program. */
function unwrapNetcat({ name, args }: ProgramCall): Unwrapped | null {
  if (name === 'socat') {
    const runs = args.filter((word) => word.value === null || /^(?:exec|system|shell):/i.test(word.value));
    return ownCover(
      name,
      ...runs.map((word) =>
        word.value === null
          ? opaqueRun('socat with an address that is not static')
          : ({ kind: 'script', text: word.value.slice(word.value.indexOf(':') + 1) } as const),
      ),
    );
  }
  const scanned = scanOptions(args, {
    short: 'ecgGiIklmMnopPqsTuvVwWxX',
    long: ['exec', 'sh-exec', 'lua-exec'],
  });
  const code = optionValues(scanned, '-e', '-c', '--exec', '--sh-exec', '--lua-exec');
  return hasOption(scanned, '-e', '-c', '--exec', '--sh-exec', '--lua-exec')
    ? ownCover(`${name} -e`, ...code.map((word) => scriptRun(word, `${name} -e`)))
    : null;
}

function unwrapRsync({ args }: ProgramCall): Unwrapped | null {
  const scanned = scanOptions(args, {
    short: 'efBTM',
    long: ['rsh', 'rsync-path', 'filter', 'exclude', 'include'],
  });
  return ownCover(
    'rsync -e',
    ...optionValues(scanned, '-e', '--rsh', '--rsync-path').map((word) => scriptRun(word, 'rsync -e')),
  );
}
