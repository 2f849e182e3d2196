import type { ShellWord } from '../shell-word.js';
import { ownCover, wordsRun, type InnerRun, type ProgramCall, type WrapperFamily } from './unwrap.js';

/** Debuggers start the program that they are handed; the commands given to them are code, which `interpreters` reports. */
export const DEBUGGER_WRAPPERS: readonly WrapperFamily[] = [
  {
    programs: ['gdb', 'rust-gdb', 'cgdb', 'gdbtui'],
    unwrap: ({ args }) => ownCover('gdb', ...debuggee(args, /^--?args$/), ...shellCommands(args)),
  },
  {
    programs: ['lldb', 'rust-lldb'],
    unwrap: ({ args }) => ownCover('lldb', ...lldbProgram(args), ...shellCommands(args)),
  },
];

function debuggee(args: readonly ShellWord[], divider: RegExp): readonly InnerRun[] {
  const at = args.findIndex((word) => divider.test(word.value ?? ''));
  if (at < 0) return [];
  // gdb's own options may still follow `--args`.
  const program = args.findIndex((word, index) => index > at && !word.value?.startsWith('-'));
  return program < 0 ? [] : wordsRun(args.slice(program));
}

/** `lldb -- rm -rf x` and `lldb rm -- -rf x` are one. */
function lldbProgram(args: readonly ShellWord[]): readonly InnerRun[] {
  const divider = args.findIndex((word) => word.value === '--');
  if (divider < 0) return [];
  const before = args[divider - 1];
  const behind = args.slice(divider + 1);
  const named = before !== undefined && !before.value?.startsWith('-');
  return wordsRun(named ? [before, ...behind] : behind);
}

/** Commands that reach a shell: they are looked at beside being code that cannot be looked through. */
function shellCommands(args: ProgramCall['args']): readonly InnerRun[] {
  return args.flatMap((word): readonly InnerRun[] => {
    const text = /^(?:--?[a-z-]+=)?\s*(?:(?:platform\s+)?shell\s+|!)([^]+)$/.exec(word.value ?? '')?.[1];
    return text === undefined ? [] : [{ kind: 'script', text }];
  });
}
