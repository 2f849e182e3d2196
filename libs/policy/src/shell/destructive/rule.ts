import { makesHarmless, scanOptions, type OptionShape, type ScannedArguments } from '../option-scan.js';
import type { ShellWord } from '../shell-word.js';

/** One row of the table of destructive commands. */
export interface DestructiveRule {
  readonly programs: readonly string[];
  /** For people: which calls of these programs. */
  readonly when: string;
  /** For people: what is lost. */
  readonly why: string;
  /** A short name of the reason, or null where this call is not destructive. */
  readonly check: (args: readonly ShellWord[], name: string) => string | null;
}

type Verb = readonly string[];

/** Calls whose first operands are one of these sub-commands. A sub-command that is not static may be any of them. */
export function byVerb(
  verbs: readonly Verb[],
  given: {
    shape?: OptionShape;
    harmless?: readonly string[];
    only?: (scanned: ScannedArguments) => boolean;
  } = {},
): DestructiveRule['check'] {
  return (args, name) => {
    const scanned = scanOptions(args, given.shape);
    const verb = verbs.find((one) => startsWithVerb(scanned.operands, one));
    if (verb === undefined) return null;
    const known = verb.every((_, index) => scanned.operands[index]?.value !== null);
    if (known && makesHarmless(scanned, ...(given.harmless ?? []))) return null;
    if (known && given.only !== undefined && !given.only(scanned)) return null;
    return known ? `${name} ${verb.join(' ')}` : `${name} with a sub-command that is not static`;
  };
}

function startsWithVerb(operands: readonly ShellWord[], verb: Verb): boolean {
  if (operands.length === 0) return false;
  for (const [index, part] of verb.entries()) {
    const word = operands[index];
    // `docker $X` may stand for several words, so the rest of the verb can be in there.
    if (word === undefined) return false;
    if (word.value === null) return true;
    if (word.value !== part) return false;
  }
  return true;
}

/** Every call, except where one of these options makes it only report. */
export function always(...harmless: readonly string[]): DestructiveRule['check'] {
  return (args, name) => {
    return makesHarmless(scanOptions(args), ...harmless) ? null : name;
  };
}

/** The part of the words before the first operand asks for help: GNU and BSD agree that nothing else happens then. */
export function asksForHelp(args: readonly ShellWord[]): boolean {
  for (const word of args) {
    if (word.value === null || !word.value.startsWith('-') || word.value === '--') return false;
    if (word.value === '--help' || word.value === '--version') return true;
  }
  return false;
}

const SYSTEM_FOLDERS =
  /^\/(?:$|(?:etc|usr|bin|sbin|lib|lib32|lib64|boot|dev|proc|sys|var|opt|root|srv|System|Library|Applications)(?:\/|$))/;

export function isSystemPath(word: ShellWord): boolean {
  return SYSTEM_FOLDERS.test(word.value ?? word.lead);
}
