import { names } from '../names.js';
import { hasOption, isOption, optionValues, scanOptions, type ScannedArguments } from '../option-scan.js';
import type { ShellWord } from '../shell-word.js';
import { joinedRuns, opaqueRun, scriptRun, type InnerRun } from './unwrap.js';

export interface GitCall {
  readonly global: ScannedArguments;
  /** `null` = not static; undefined = only options. */
  readonly verb: string | null | undefined;
  /** Words behind the sub-command. */
  readonly args: readonly ShellWord[];
  /** `-C` folders, in order. */
  readonly folders: readonly ShellWord[];
}

export function readGitCall(words: readonly ShellWord[]): GitCall {
  const global = scanOptions(words, {
    short: 'cC',
    long: names(`
      git-dir work-tree namespace config-env super-prefix attr-source list-cmds
    `),
    stopAtOperand: true,
  });
  const [verb, ...args] = global.operands;
  return { global, verb: verb?.value, args, folders: optionValues(global, '-C') };
}

/** Settings that cannot name a program, an alias, a hook folder or another file of settings. */
const HARMLESS_SETTING =
  /^(?:user\.(?:name|email|signingkey)|color\..*|core\.(?:quotepath|abbrev|autocrlf|safecrlf|filemode|ignorecase|longpaths|precomposeunicode|eol|whitespace|commentchar)|advice\..*|log\.(?:date|decorate|showsignature|abbrevcommit)|init\.defaultbranch|commit\.gpgsign|tag\.gpgsign|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote)|merge\.(?:ff|conflictstyle)|diff\.(?:renames|algorithm|context|noprefix|mnemonicprefix)|rebase\.(?:autosquash|autostash)|fetch\.prune|http\.(?:postbuffer|version|lowspeedlimit|lowspeedtime)|safe\.barerepository|protocol\.version|gc\.auto|column\..*|status\..*|versionsort\..*|i18n\..*)$/;

/** What git runs because of its options: settings that name programs, pagers, helpers, hooks. */
export function gitPrograms(words: readonly ShellWord[]): InnerRun[] {
  const { global, verb, args } = readGitCall(words);
  const runs: InnerRun[] = [];
  for (const setting of optionValues(global, '-c')) runs.push(...settingRuns(setting));
  if (hasOption(global, '--config-env'))
    runs.push(opaqueRun('git --config-env takes settings from the environment'));
  if (global.options.some((option) => isOption(option, '--exec-path') && option.value !== null)) {
    runs.push(opaqueRun('git --exec-path runs other helpers'));
  }
  // Another repository's settings name programs; files in the tree can pose as one.
  if (optionValues(global, '--git-dir').some((folder) => !/^(?:\.\/)?\.git\/?$/.test(folder.value ?? '')))
    runs.push(opaqueRun('git --git-dir obeys the settings of that repository'));
  if (verb === null) runs.push(opaqueRun('git with a sub-command that is not static'));
  else if (verb !== undefined) runs.push(...verbRuns(verb, args));
  return runs;
}

function settingRuns(setting: ShellWord): InnerRun[] {
  if (setting.value === null && !setting.lead.includes('='))
    return [opaqueRun('git -c with a setting that is not static')];
  const text = setting.value ?? setting.lead;
  const equals = text.indexOf('=');
  const key = (equals < 0 ? text : text.slice(0, equals)).toLowerCase();
  if (HARMLESS_SETTING.test(key)) return [];
  const value = text.slice(equals + 1);
  if (setting.value === null || equals < 0) return [opaqueRun(`git -c ${key}`)];
  if (key.startsWith('alias.') && !value.startsWith('!')) return [{ kind: 'script', text: `git ${value}` }];
  return [{ kind: 'script', text: value.replace(/^!/, '') }, opaqueRun(`git -c ${key} can run programs`)];
}

/** Sub-commands with an option that runs a program. */
const RUNNING_VERBS = new Set([
  'grep',
  'rebase',
  'fetch',
  'pull',
  'clone',
  'ls-remote',
  'fetch-pack',
  'submodule',
]);

const VALUED = {
  short: 'xSCFmtOuXbB',
  long: names(`
    exec upload-pack receive-pack open-files-in-pager extcmd tool command smtp-server output format
    message file
  `),
};

function verbRuns(verb: string, args: readonly ShellWord[]): InnerRun[] {
  const scanned = scanOptions(args, VALUED);
  const given = (...names: string[]): InnerRun[] =>
    optionValues(scanned, ...names).map((word) => scriptRun(word, `git ${verb} ${names[0] ?? ''}`));
  if (scanned.dynamic && RUNNING_VERBS.has(verb))
    return [opaqueRun(`git ${verb} with options that are not static`)];
  switch (verb) {
    case 'grep':
      return args.some((word) => /^(?:-O|--open)/.test(word.value ?? ''))
        ? [opaqueRun('git grep -O opens files in a program')]
        : [];
    case 'rebase':
      return [...given('-x', '--exec'), ...(hasOption(scanned, '-i', '--interactive') ? [] : [])];
    case 'fetch':
    case 'pull':
    case 'clone':
    case 'ls-remote':
    case 'fetch-pack':
      return [
        ...optionValues(scanned, '--upload-pack', ...(verb === 'clone' ? ['-u'] : [])).map((word) =>
          scriptRun(word, `git ${verb} --upload-pack`),
        ),
        ...(verb === 'clone' ? configRuns(args) : []),
        ...transportRuns(scanned.operands),
      ];
    case 'push':
    case 'send-pack':
    case 'archive':
      return [...given('--receive-pack', '--exec'), ...transportRuns(scanned.operands)];
    case 'bisect':
      return args[0]?.value === 'run' ? [{ kind: 'words', words: args.slice(1) }] : [];
    case 'submodule':
      return submoduleRuns(args);
    case 'filter-branch':
      return [opaqueRun('git filter-branch runs its filters')];
    case 'difftool':
    case 'mergetool':
      return [...given('-x', '--extcmd'), opaqueRun(`git ${verb} runs a tool`)];
    case 'send-email':
      return [opaqueRun('git send-email runs a mailer')];
    case 'config':
      return configWrites(args);
    case 'for-each-repo':
    case 'shell':
    case 'daemon':
    case 'instaweb':
      return [opaqueRun(`git ${verb} runs programs`)];
    default:
      return [];
  }
}

/** `ext::command` as an address is a program. */
function transportRuns(operands: readonly ShellWord[]): InnerRun[] {
  return operands
    .filter((word) => /^(?:ext|fd)::/.test(word.value ?? word.lead))
    .map((word) =>
      word.value === null
        ? opaqueRun('git transport that is not static')
        : { kind: 'script', text: word.value.replace(/^\w+::/, '') },
    );
}

/** `git clone -c key=value` writes the setting into the new repository and obeys it at once. */
function configRuns(args: readonly ShellWord[]): InnerRun[] {
  return optionValues(
    scanOptions(args, { short: 'cbojuo', long: ['config', 'branch', 'origin', 'upload-pack', 'template'] }),
    '-c',
    '--config',
  ).flatMap(settingRuns);
}

function submoduleRuns(args: readonly ShellWord[]): InnerRun[] {
  const at = args.findIndex((word) => word.value === 'foreach');
  if (at < 0) return [];
  const words = scanOptions(args.slice(at + 1), { stopAtOperand: true }).operands;
  return joinedRuns(words, 'git submodule foreach');
}

/** A setting that names a program runs it later, whenever git is used. */
function configWrites(args: readonly ShellWord[]): InnerRun[] {
  const operands = scanOptions(args, {
    short: 'f',
    long: ['file', 'blob', 'type', 'default'],
  }).operands.filter((word) => word.value !== 'set' && word.value !== 'get');
  const [key, value] = operands;
  if (key === undefined || value === undefined) return [];
  if (key.value !== null && HARMLESS_SETTING.test(key.value.toLowerCase())) return [];
  const name = key.value ?? '';
  return /(?:^alias\.|pager|editor|command|helper|cmd$|program|textconv|driver|hookspath|fsmonitor|sshcommand|askpass|proxy|smudge|clean|process|include|path$|packobjectshook|uploadpack|receivepack)/i.test(
    name,
  ) || key.value === null
    ? [opaqueRun(`git config ${name} names a program`)]
    : [];
}
