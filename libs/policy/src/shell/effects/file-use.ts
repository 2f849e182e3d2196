import type { OptionShape } from '../option-scan.js';
import type { OutputFlow } from '../output-flow.js';
import type { ShellWord } from '../shell-word.js';
import type { WordException } from '../store-read.js';

/** A file that one call reads or writes. */
export interface FileUse {
  readonly word: ShellWord;
  readonly access: 'read' | 'write';
  readonly bookkeeping?: boolean;
  /** What lies below is read or changed too, where it is a folder. */
  readonly recursive?: boolean;
  /** Only a name that looks like a file: it counts where there is one. */
  readonly guessed?: boolean;
  /** No read where one of these holds. */
  readonly unless?: readonly WordException[];
  /** Folders that the program enters first (`tar -C`, `git -C`). */
  readonly folder?: readonly ShellWord[];
  /** Sources that land below the word where it turns out to be a folder. */
  readonly receives?: readonly ShellWord[];
}

/**
 * What the operands are.
 * `pattern-then-read`: the first is a pattern unless an option gave one. `copy`: all but the last are read, the last is
 * written. `move`: like copy, and the sources are written too. `mode-then-write`: the first is a mode or an owner.
 */
export type OperandUse =
  | 'none'
  | 'read'
  | 'write'
  | 'pattern-then-read'
  | 'copy'
  | 'move'
  | 'mode-then-write'
  | 'read-then-write'
  | 'read-first';

/** One row of the effect table. */
export interface EffectRule {
  readonly programs: readonly string[];
  readonly operands: OperandUse;
  readonly shape?: OptionShape;
  /** Options whose value is a file that is read, or written. */
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
  /** Options that already give the pattern or mode, so the first operand is a file. */
  readonly gives?: readonly string[];
  /** What operands and options do not say. */
  readonly special?: (args: readonly ShellWord[], name: string, output: OutputFlow) => readonly FileUse[];
  /** For people. */
  readonly why: string;
}
