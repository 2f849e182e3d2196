import { names } from '../names.js';
import { optionValues, scanOptions, hasOption } from '../option-scan.js';
import type { ShellWord } from '../shell-word.js';
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

/** Programs that give a command a terminal of its own, or type into one that a shell is reading. */
export const MULTIPLEXER_WRAPPERS: readonly WrapperFamily[] = [
  { programs: ['tmux', 'byobu'], unwrap: unwrapTmux },
  { programs: ['screen'], unwrap: unwrapScreen },
];

interface TmuxVerb {
  readonly alias: string;
  /** Letters that take a value. */
  readonly short: string;
  readonly runs: 'pane' | 'code' | 'condition' | 'keys' | 'opaque';
}

/** tmux takes any unambiguous beginning of these, and the alias. */
const TMUX_VERBS: Readonly<Record<string, TmuxVerb>> = {
  'new-session': { alias: 'new', short: 'ceFfnstxy', runs: 'pane' },
  'new-window': { alias: 'neww', short: 'ceFnt', runs: 'pane' },
  'split-window': { alias: 'splitw', short: 'ceFlpt', runs: 'pane' },
  'respawn-pane': { alias: 'respawnp', short: 'cet', runs: 'pane' },
  'respawn-window': { alias: 'respawnw', short: 'cet', runs: 'pane' },
  'display-popup': { alias: 'popup', short: 'bcdehsStTwxy', runs: 'pane' },
  'run-shell': { alias: 'run', short: 'cdt', runs: 'code' },
  'pipe-pane': { alias: 'pipep', short: 't', runs: 'code' },
  'if-shell': { alias: 'if', short: 't', runs: 'condition' },
  'send-keys': { alias: 'send', short: 'cNt', runs: 'keys' },
  // These keep commands for later, or type what nobody can see here.
  'bind-key': { alias: 'bind', short: '', runs: 'opaque' },
  'set-hook': { alias: 'set-hook', short: '', runs: 'opaque' },
  'set-option': { alias: 'set', short: '', runs: 'opaque' },
  'command-prompt': { alias: 'command-prompt', short: '', runs: 'opaque' },
  'confirm-before': { alias: 'confirm', short: '', runs: 'opaque' },
  'display-menu': { alias: 'menu', short: '', runs: 'opaque' },
  'paste-buffer': { alias: 'pasteb', short: '', runs: 'opaque' },
};

/** Options of `set-option` that no command comes from. */
const HARMLESS_TMUX_OPTION = names(`
  mouse status history-limit base-index pane-base-index renumber-windows mode-keys status-keys escape-time
  remain-on-exit automatic-rename allow-rename set-titles display-time repeat-time prefix
`);

function unwrapTmux({ name, args }: ProgramCall): Unwrapped | null {
  const scanned = scanOptions(args, { short: 'cfLST', stopAtOperand: true });
  const code = optionValues(scanned, '-c').map((word) => scriptRun(word, `${name} -c`));
  // `#(code)` runs in a format, wherever tmux takes one.
  const formats = args.some((word) => (word.value ?? word.text).includes('#('))
    ? [opaqueRun(`${name} of a format that runs code`)]
    : [];
  return ownCover(name, ...code, ...formats, ...tmuxCommands(scanned.operands).flatMap(tmuxRuns));
}

/** One call may hold several commands: a word that is or ends in `;` closes one. */
function tmuxCommands(words: readonly ShellWord[]): ShellWord[][] {
  const commands: ShellWord[][] = [[]];
  for (const word of words) {
    const closes = /(?<!\\);$/.test(word.value ?? '');
    if (word.value !== ';') commands.at(-1)?.push(closes ? withoutEnd(word) : word);
    if (closes) commands.push([]);
  }
  return commands;
}

function withoutEnd(word: ShellWord): ShellWord {
  const value = (word.value ?? '').slice(0, -1);
  return { ...word, value, lead: value };
}

function tmuxRuns([first, ...args]: readonly ShellWord[]): readonly InnerRun[] {
  if (first === undefined) return [];
  if (first.value === null) return [opaqueRun('tmux with a command that is not static')];
  const given = first.value;
  const known = Object.entries(TMUX_VERBS);
  // An alias first: `set` is no abbreviation of `set-hook`.
  const found =
    known.find(([verb, { alias }]) => verb === given || alias === given) ??
    known.find(([verb]) => verb.startsWith(given));
  if (found === undefined) return [];
  const [verb, { short, runs }] = found;
  const scanned = scanOptions(args, { short, stopAtOperand: true });
  const words = scanned.operands;
  switch (runs) {
    case 'pane':
      return words.length === 1 ? [scriptRun(words[0], `tmux ${verb}`)] : wordsRun(words);
    case 'code':
      if (hasOption(scanned, '-C')) return words.map(tmuxText);
      return words.map((word) => scriptRun(word, `tmux ${verb}`));
    case 'condition':
      return words.map((word, at) =>
        at === 0 && !hasOption(scanned, '-F') ? scriptRun(word, `tmux ${verb}`) : tmuxText(word),
      );
    case 'keys':
      return hasOption(scanned, '-H', '-X') ? [opaqueRun(`tmux ${verb} of coded keys`)] : typedRuns(words);
    case 'opaque':
      return HARMLESS_TMUX_OPTION.includes(words[0]?.value ?? '')
        ? []
        : [opaqueRun(`tmux ${verb} of commands for later`)];
  }
}

/** A command of tmux's own inside one word. */
function tmuxText(word: ShellWord): InnerRun {
  const run = scriptRun(word, 'tmux');
  return run.kind === 'script' ? { kind: 'script', text: `tmux ${run.text}` } : run;
}

const KEYS: Readonly<Record<string, string>> = {
  enter: '\n',
  kpenter: '\n',
  'c-m': '\n',
  'c-j': '\n',
  'c-c': '\n',
  'c-d': '\n',
  'c-u': '\n',
  space: ' ',
};

/** What is typed is code for the shell that reads it, whether the line is ended now or later. */
function typedRuns(words: readonly ShellWord[]): readonly InnerRun[] {
  if (words.length === 0) return [];
  if (words.some((word) => word.value === null))
    return [opaqueRun('tmux send-keys of text that is not static')];
  // Up and Tab put in text that is not seen here.
  if (words.some((word) => /^(?:Up|Down|Tab|BTab|C-[nprwy])$/i.test(word.value ?? '')))
    return [opaqueRun('tmux send-keys of keys that fill in text')];
  const text = words.map(({ value }) => KEYS[(value ?? '').toLowerCase()] ?? value ?? '').join('');
  return text.trim() === '' ? [] : [{ kind: 'script', text }];
}

/** Commands of a running screen that neither type nor start anything. */
const HARMLESS_SCREEN_COMMAND = names(`
  quit kill title select hardcopy hardcopydir log logfile logtstamp number detach other next prev windows
  width height clear reset scrollback defscrollback info version
`);

function unwrapScreen({ name, args }: ProgramCall): Unwrapped | null {
  const scanned = scanOptions(args, { short: 'cehpSstT', stopAtOperand: true });
  const options = args.slice(0, args.length - scanned.operands.length);
  if (options.some((word) => /^-(?:ls|list|wipe|v)$/.test(word.value ?? ''))) return null;
  const shells = optionValues(scanned, '-s').map((word) => scriptRun(word, `${name} -s`));
  if (hasOption(scanned, '-X')) return ownCover(`${name} -X`, ...shells, ...screenCommand(scanned.operands));
  const words = hasOption(scanned, '-r', '-x') ? [] : wordsRun(scanned.operands);
  return ownCover(name, ...shells, ...words);
}

function screenCommand([verb, ...words]: readonly ShellWord[]): readonly InnerRun[] {
  if (verb === undefined || HARMLESS_SCREEN_COMMAND.includes(verb.value ?? '')) return [];
  if (verb.value === 'exec' || verb.value === 'screen') {
    // In front of a command `exec` takes a pattern of descriptors: `.!.`.
    const from = words.findIndex((word) => !/^(?:[-.!:|]|\d+$)/.test(word.value ?? ''));
    return from < 0 ? [] : wordsRun(words.slice(from));
  }
  if (verb.value !== 'stuff') return [opaqueRun('screen -X of a command that is not looked through')];
  return words.slice(-1).map((word) => {
    const run = scriptRun(word, 'screen -X stuff');
    return run.kind === 'script'
      ? { kind: 'script', text: run.text.replaceAll(/\^[MJmjCc]|\\0?1[25]|\\[nr]/g, '\n') }
      : run;
  });
}
