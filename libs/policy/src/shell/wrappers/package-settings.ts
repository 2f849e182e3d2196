import { names } from '../names.js';
import { scanOptions } from '../option-scan.js';
import type { ShellWord } from '../shell-word.js';
import {
  joinedRuns,
  opaqueRun,
  ownCover,
  type InnerRun,
  type ProgramCall,
  type WrapperFamily,
} from './unwrap.js';

/** Settings of a package manager that name a program, or code that its programs load, in plain letters. */
const NAMES_A_PROGRAM = new Set(
  names(`
    scriptshell shell editor git browser viewer nodeoptions initmodule onloadscript yarnpath pnpmfile
    globalpnpmfile nodegyp python
  `),
);

/** As an option of any call. Others of these names may belong to the script that `yarn test --browser` starts. */
const AS_OPTION = new Set(
  names('--script-shell --node-options --onload-script --pnpmfile --global-pnpmfile'),
);

/** `npm config set script-shell ./x` changes what every later `npm run` starts. */
export const PACKAGE_SETTING_WRAPPERS: readonly WrapperFamily[] = [
  {
    programs: ['npm', 'pnpm', 'yarn'],
    unwrap: ({ name, args }) => ownCover(`${name} setting`, ...settingRuns(name, args)),
  },
  {
    programs: ['npm'],
    unwrap: ({ args }) => ownCover('npm explore', ...exploreRuns(args)),
  },
];

/** `script-shell`, `scriptShell` and `script_shell` are one setting. */
export function namesProgram(setting: string): boolean {
  return NAMES_A_PROGRAM.has(setting.toLowerCase().replaceAll(/[-_.]/g, ''));
}

function settingRuns(name: string, args: ProgramCall['args']): readonly InnerRun[] {
  const scanned = scanOptions(args, { long: ['location', 'prefix', 'registry'] });
  const given = scanned.options.find((one) => AS_OPTION.has(one.name));
  if (given !== undefined) return [opaqueRun(`${name} ${given.name} names a program`)];
  const [verb, second, ...rest] = scanned.operands;
  const isConfig = verb?.value === 'config' || verb?.value === 'c';
  if (isConfig && second?.value === 'set') return writes(name, rest);
  return verb?.value === 'set' && second !== undefined ? writes(name, [second, ...rest]) : [];
}

/** Pairs, `key=value` or `key value`: every word is looked at as a key. */
function writes(name: string, words: readonly ShellWord[]): readonly InnerRun[] {
  const [first] = words;
  if (first?.value === null && !first.lead.includes('='))
    return [opaqueRun(`${name} config set of a setting that is not static`)];
  const key = words.map((word) => (word.value ?? word.lead).split('=')[0] ?? '').find(namesProgram);
  return key === undefined ? [] : [opaqueRun(`${name} config set ${key} names a program`)];
}

/** What follows the package is joined for a shell that is started in the package's folder. */
function exploreRuns(args: ProgramCall['args']): readonly InnerRun[] {
  const [verb, , ...rest] = scanOptions(args, { long: ['shell', 'prefix'], stopAtOperand: true }).operands;
  if (verb?.value !== 'explore') return [];
  return joinedRuns(rest[0]?.value === '--' ? rest.slice(1) : rest, 'npm explore');
}
