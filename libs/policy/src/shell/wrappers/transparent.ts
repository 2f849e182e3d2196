import { hasOption, scanOptions } from '../option-scan.js';
import { ownCover, wordsRun, type Unwrapped, type WrapperFamily } from './unwrap.js';
import type { ShellWord } from '../shell-word.js';

/** Wrappers that only run what stands behind them: less time, lower priority, no hang-up. */
export const TRANSPARENT_WRAPPERS: readonly WrapperFamily[] = [
  {
    programs: ['command'],
    unwrap: ({ args }) => {
      const scanned = scanOptions(args, { stopAtOperand: true });
      return hasOption(scanned, '-v', '-V') ? null : through('command', scanned.operands, true);
    },
  },
  { programs: ['nohup'], unwrap: ({ args }) => through('nohup', operands(args, {})) },
  {
    programs: ['time', 'gtime'],
    unwrap: ({ args }) => {
      const scanned = scanOptions(args, { short: 'fo', long: ['format', 'output'], stopAtOperand: true });
      // With -o it also writes a file, so its own words need cover.
      const words = wordsRun(scanned.operands);
      return hasOption(scanned, '-o', '--output')
        ? ownCover('time', ...words)
        : through('time', scanned.operands);
    },
  },
  {
    programs: ['timeout', 'gtimeout'],
    unwrap: ({ args }) =>
      through('timeout', operands(args, { short: 'ks', long: ['kill-after', 'signal'] }).slice(1)),
  },
  {
    programs: ['nice', 'gnice'],
    // `nice -5 x` is an old spelling of `-n 5`; the scan reads it as a flag, which leaves the right operands.
    unwrap: ({ args }) => through('nice', operands(args, { short: 'n', long: ['adjustment'] })),
  },
  { programs: ['builtin'], unwrap: ({ args }) => through('builtin', operands(args, {}), true) },
];

function operands(
  args: readonly ShellWord[],
  shape: { short?: string; long?: string[] },
): readonly ShellWord[] {
  return scanOptions(args, { ...shape, stopAtOperand: true }).operands;
}

function through(name: string, words: readonly ShellWord[], sameShell = false): Unwrapped | null {
  if (words.length === 0) return null;
  return { through: name, cover: 'transparent', runs: wordsRun(words), sameShell };
}
