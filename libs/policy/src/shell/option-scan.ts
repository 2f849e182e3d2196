import { mayBeOption, staticWord, wordTail, type ShellWord } from './shell-word.js';

/** Which options of a program take the next word, and where its options end. */
export interface OptionShape {
  /** Letters whose value is glued or follows: `o` for `-ofile`, `-o file`. */
  readonly short?: string;
  /** Long options whose value may be a word of its own; without the dashes. */
  readonly long?: readonly string[];
  /** Options end at the first operand: everything behind it belongs to another command. */
  readonly stopAtOperand?: boolean;
  /** Long options cannot be abbreviated, so `--partial` is not `--partial-dir`. */
  readonly exact?: boolean;
  /** `-name` is one option, as for `find`, `java` or `openssl`; these take a value. */
  readonly words?: readonly string[];
}

export interface ScannedOption {
  /** `-o`, `--output`; for `words` programs `-name`. As written, so it may be an abbreviation. */
  readonly name: string;
  readonly value: ShellWord | null;
}

export interface ScannedArguments {
  readonly options: readonly ScannedOption[];
  readonly operands: readonly ShellWord[];
  /** A word that may be an option is not static: every option has to be expected. */
  readonly dynamic: boolean;
  readonly exact: boolean;
}

/** getopt's reading of a program's words, permuting unless told to stop. */
export function scanOptions(words: readonly ShellWord[], shape: OptionShape = {}): ScannedArguments {
  const options: ScannedOption[] = [];
  const operands: ShellWord[] = [];
  let dynamic = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === undefined) break;
    if (word.value === '--') {
      operands.push(...words.slice(at + 1));
      break;
    }
    const spelled = spelledOption(word);
    if (spelled === null) {
      dynamic ||= mayBeOption(word);
      operands.push(word);
      if (shape.stopAtOperand) {
        operands.push(...words.slice(at + 1));
        break;
      }
      continue;
    }
    const found = readOption(word, spelled, shape);
    const wants = at + 1 < words.length ? (found.at(-1)?.wants ?? 'nothing') : 'nothing';
    const next = words[at + 1] ?? null;
    if (wants === 'next') at++;
    found.forEach(({ name, value }, index) => {
      const last = index === found.length - 1;
      options.push({ name, value: last && wants !== 'nothing' ? next : value });
    });
    dynamic ||= word.value === null && (word.splits || !spelled.includes('='));
  }
  return { options, operands, dynamic, exact: shape.exact === true };
}

interface FoundOption extends ScannedOption {
  /** `peek`: an abbreviation, so the next word may be its value or an operand; it then counts as both. */
  readonly wants: 'nothing' | 'next' | 'peek';
}

/** The static text of a word that is certainly an option, or null. */
function spelledOption(word: ShellWord): string | null {
  const text = word.value ?? word.lead;
  if (!text.startsWith('-') || text === '-') return null;
  return text;
}

function readOption(word: ShellWord, text: string, shape: OptionShape): FoundOption[] {
  if (text.startsWith('--') || shape.words !== undefined) {
    const equals = text.indexOf('=');
    if (equals > 0)
      return [{ name: text.slice(0, equals), value: wordTail(word, equals + 1), wants: 'nothing' }];
    return [{ name: text, value: null, wants: longWants(text, shape) }];
  }
  const found: FoundOption[] = [];
  for (let at = 1; at < text.length; at++) {
    const letter = text[at] ?? '';
    if (!(shape.short ?? '').includes(letter)) {
      found.push({ name: `-${letter}`, value: null, wants: 'nothing' });
      continue;
    }
    const glued = at + 1 < text.length || word.value === null;
    found.push({
      name: `-${letter}`,
      value: glued ? wordTail(word, at + 1) : null,
      wants: glued ? 'nothing' : 'next',
    });
    break;
  }
  return found;
}

function longWants(text: string, shape: OptionShape): FoundOption['wants'] {
  if (shape.words !== undefined) return shape.words.includes(text) ? 'next' : 'nothing';
  const long = shape.long ?? [];
  if (long.some((name) => `--${name}` === text)) return 'next';
  return text.length > 2 && !shape.exact && long.some((name) => `--${name}`.startsWith(text))
    ? 'peek'
    : 'nothing';
}

/**
 * Whether any of these options was given. GNU programs accept every unambiguous abbreviation of a long option, so
 * `--compress` is `--compress-program` here; an abbreviation that the program would refuse does no harm.
 */
export function hasOption(args: ScannedArguments, ...names: readonly string[]): boolean {
  return args.options.some((option) => names.some((name) => isOption(option, name, args.exact)));
}

export function isOption(option: ScannedOption, name: string, exact = false): boolean {
  if (option.name === name) return true;
  return !exact && name.startsWith('--') && option.name.length > 2 && name.startsWith(option.name);
}

/** The values given to these options; null stands for a missing one. */
export function optionValues(args: ScannedArguments, ...names: readonly string[]): ShellWord[] {
  return args.options
    .filter((option) => names.some((name) => isOption(option, name, args.exact)))
    .map((option) => option.value ?? staticWord(''));
}

/** Spelled out, no abbreviation: a program may refuse or reinterpret one. */
export function hasExactly(args: ScannedArguments, ...names: readonly string[]): boolean {
  return args.options.some((option) => names.includes(option.name));
}

const SAYS_YES = /^(?:true|client|server|yes|1)$/;

/**
 * For options that turn a call into a mere report: spelled out as in `hasExactly`, and not
 * taken back by `--no-dry-run`, `--dry-run=false` or npm's `--dry-run false`.
 */
export function makesHarmless(args: ScannedArguments, ...names: readonly string[]): boolean {
  const long = names.filter((name) => name.startsWith('--'));
  if (args.options.some(({ name }) => long.some((one) => takesBack(name, one)))) return false;
  if (args.operands.some((word) => word.value === 'false')) return false;
  return args.options.some(
    ({ name, value }) => names.includes(name) && (value === null || SAYS_YES.test(value.value ?? '')),
  );
}

/** `--no-dry` is enough for `--no-dry-run`. */
function takesBack(option: string, name: string): boolean {
  return option.length > 5 && `--no-${name.slice(2)}`.startsWith(option);
}
