import type { ShellWord } from '../shell-word.js';

/** Something that a command runs besides itself. */
export type InnerRun =
  | { readonly kind: 'words'; readonly words: readonly ShellWord[] }
  /** Shell code known as text. */
  | { readonly kind: 'script'; readonly text: string }
  /** Code that cannot be looked through; `fetched` = it comes from a download. */
  | { readonly kind: 'opaque'; readonly reason: string; readonly fetched?: boolean };

export interface Unwrapped {
  /** As people call it: `sudo`, `bash -c`, `find -exec`. */
  readonly through: string;
  /** `transparent`: adds nothing to what it runs. */
  readonly cover: 'transparent' | 'own-cover';
  readonly runs: readonly InnerRun[];
  /** Runs in this very shell, so `cd` inside it stays. */
  readonly sameShell?: boolean;
  /** The folder that the inner commands start in. */
  readonly folder?: ShellWord;
}

/** How a program was called, for those who look through it. */
export interface ProgramCall {
  /** Base name. */
  readonly name: string;
  /** The words behind the command word. */
  readonly args: readonly ShellWord[];
  /** Standard input is a file, heredoc or here-string of this very command. */
  readonly fedInput: boolean;
  /** A download may be writing into its standard input. */
  readonly fetchedInput: boolean;
}

/** `null` = this call runs nothing else. */
export type Unwrap = (call: ProgramCall) => Unwrapped | null;

/** A family of programs that are looked through in one way. */
export interface WrapperFamily {
  readonly programs: readonly string[];
  readonly unwrap: Unwrap;
}

export function ownCover(through: string, ...runs: readonly InnerRun[]): Unwrapped | null {
  return runs.length === 0 ? null : { through, cover: 'own-cover', runs };
}

export function opaqueRun(reason: string, fetched = false): InnerRun {
  return { kind: 'opaque', reason, fetched };
}

/** A program given as words; none at all runs nothing. */
export function wordsRun(words: readonly ShellWord[]): readonly InnerRun[] {
  return words.length === 0 ? [] : [{ kind: 'words', words }];
}

/** Code handed to a shell as one word. */
export function scriptRun(word: ShellWord | undefined, whose: string): InnerRun {
  if (word === undefined) return opaqueRun(`${whose} without its code`);
  if (word.fetched) return opaqueRun(`fetched code run by ${whose}`, true);
  if (word.value === null) return opaqueRun(`${whose} of code that is not static`);
  return { kind: 'script', text: word.value };
}

/** Where a wrapper's own operands end is not known, so the inner command may start at any of the first words. */
export function candidateRuns(operands: readonly ShellWord[]): InnerRun[] {
  const starts = operands.slice(0, 6).map((_, index) => index);
  return starts.flatMap((start) => wordsRun(operands.slice(start)));
}

/**
 * Words that a program joins by blanks and hands to a shell. Where some are not static the code is opaque, and what its
 * static words say is looked at all the same.
 */
export function joinedRuns(words: readonly ShellWord[], whose: string): InnerRun[] {
  if (words.length === 0) return [];
  if (words.some((word) => word.fetched)) return [opaqueRun(`fetched code run by ${whose}`, true)];
  const text = words.map((word) => word.value ?? '"$1"').join(' ');
  const script: InnerRun = { kind: 'script', text };
  return words.some((word) => word.value === null)
    ? [opaqueRun(`${whose} of code that is not static`), script]
    : [script];
}
