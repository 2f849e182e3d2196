import { names } from '../names.js';
import { hasExactly, hasOption, scanOptions } from '../option-scan.js';
import { always, byVerb, type DestructiveRule } from './rule.js';

const SERVICE_VERBS = [
  ['stop'],
  ['restart'],
  ['try-restart'],
  ['kill'],
  ['disable'],
  ['mask'],
  ['isolate'],
  ['reboot'],
  ['poweroff'],
  ['halt'],
  ['kexec'],
  ['suspend'],
  ['hibernate'],
  ['emergency'],
  ['rescue'],
  ['default'],
  ['set-default'],
  ['revert'],
  ['bootout'],
  ['unload'],
  ['remove'],
];

/** Privilege escalation, processes of others, kernel and machine state. */
export const SYSTEM_RULES: readonly DestructiveRule[] = [
  {
    programs: names(`
      sudo doas su pkexec runuser run0 sudoedit gsudo runas newgrp sg
    `),
    when: 'every call; sudo with only -l, -k, -K or -V reports',
    why: 'acts with rights that the session was not given',
    check: (args, name) => {
      const only = args.length === 1 ? args[0]?.value : null;
      return name === 'sudo' && /^-[lkKV]$/.test(only ?? '') ? null : name;
    },
  },
  {
    programs: names(`
      useradd userdel usermod adduser deluser groupadd groupdel groupmod passwd chpasswd visudo vipw
      vigr gpasswd dscl chsh
    `),
    when: 'every call',
    why: 'changes who may do what on the machine',
    check: always(),
  },
  {
    programs: ['kill'],
    when: 'unless it only lists (-l, -L, -0) or names a job of this very shell (%1)',
    why: 'ends processes that the command did not start',
    check: (args) => {
      const first = args[0]?.value ?? null;
      if (first === '-l' || first === '-L' || first === '-0' || first === '--list') return null;
      const targets = args.filter((word) => word.value === null || !word.value.startsWith('-'));
      return targets.length > 0 && targets.every((word) => /^%/.test(word.value ?? '')) ? null : 'kill';
    },
  },
  {
    programs: ['pkill', 'killall', 'killall5', 'skill', 'xkill', 'taskkill', 'tskill', 'Stop-Process'],
    when: 'every call but -l',
    why: 'ends every process that a pattern matches',
    check: always('-l', '--list'),
  },
  {
    programs: ['fuser'],
    when: 'with -k',
    why: 'kills whoever uses a file',
    check: (args) => {
      const scanned = scanOptions(args);
      return hasOption(scanned, '-k', '--kill') || scanned.dynamic ? 'fuser -k' : null;
    },
  },
  {
    programs: ['systemctl', 'launchctl'],
    when: 'stop, restart, kill, disable, mask, reboot and the like',
    why: 'ends services that others rely on',
    check: byVerb(SERVICE_VERBS, { shape: { short: 'HMtpsn' } }),
  },
  {
    programs: ['service', 'rc-service'],
    when: 'with stop or restart',
    why: 'ends services that others rely on',
    check: (args, name) => {
      const verb = args[1]?.value;
      return verb === 'stop' || verb === 'restart' || verb === null ? `${name} stop` : null;
    },
  },
  {
    programs: ['shutdown', 'reboot', 'halt', 'poweroff', 'telinit', 'init'],
    when: 'every call',
    why: 'stops the machine',
    check: always(),
  },
  {
    programs: ['insmod', 'rmmod', 'modprobe', 'kexec', 'kldload', 'kldunload', 'kextload', 'kextunload'],
    when: 'every call',
    why: 'loads or removes code of the kernel',
    check: always(),
  },
  {
    programs: ['sysctl'],
    when: 'with -w, -p or an assignment',
    why: 'changes the running kernel',
    check: (args) =>
      hasOption(scanOptions(args), '-w', '-p', '--write', '--load', '--system') ||
      args.some((word) => word.value === null || word.value.includes('='))
        ? 'sysctl -w'
        : null,
  },
  {
    programs: ['crontab'],
    when: 'with -r or with new jobs (a file, `-`, or nothing to read them from stdin)',
    why: 'deletes every scheduled job, or puts others in their place',
    check: (args) => {
      const scanned = scanOptions(args, { short: 'u' });
      if (hasOption(scanned, '-r') || scanned.dynamic) return 'crontab -r';
      return hasOption(scanned, '-l', '-e') ? null : 'crontab of new jobs';
    },
  },
  {
    programs: ['rg'],
    when: 'with --pre, --hostname-bin, --search-zip or -z',
    why: 'a search that starts another program for every file that it finds',
    check: (args) => {
      const scanned = scanOptions(args, {
        short: 'ABCEefgjmMrtTd',
        long: ['pre', 'hostname-bin', 'pre-glob'],
      });
      const option = ['--pre', '--hostname-bin', '--search-zip', '-z'].find((name) =>
        hasExactly(scanned, name),
      );
      return option === undefined ? null : `rg ${option}`;
    },
  },
];
