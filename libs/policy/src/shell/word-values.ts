import { parse, type Word, type WordPart } from 'unbash';
import { expandBraces } from './brace-expansion.js';
import { staticWord, type ShellWord } from './shell-word.js';

/** More words than this out of one brace expansion are not worth knowing one by one. */
const MAX_BRACE_WORDS = 256;

/** The words that one source word becomes. Brace expansion makes several; everything else exactly one. */
export function wordValues(word: Word, fetched: boolean): ShellWord[] {
  const parts = word.parts;
  if (parts === undefined) return [literalWord(word)];
  if (!hasBraces(parts)) return [partsWord(word, parts, fetched)];
  const expanded = parts.some(isDynamic) ? null : expandBraces(word.text, MAX_BRACE_WORDS);
  const words = expanded?.map((text) => reparsed(text)) ?? null;
  if (words === null || words.includes(null)) return [dynamicWord(word.text, '', true, fetched)];
  return words.filter((one) => one !== null && one.text !== '').map((one) => one as ShellWord);
}

/** The quoted and plain text of a word, without what its expansions add. */
export function literalText(word: Word): string {
  return word.parts === undefined ? word.value : word.parts.map(partText).join('');
}

function partText(part: WordPart): string {
  if (part.type === 'DoubleQuoted' || part.type === 'LocaleString') return part.parts.map(partText).join('');
  return part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted'
    ? part.value
    : '';
}

function literalWord(word: Word): ShellWord {
  return { ...staticWord(word.value, word.text), tilde: word.text.startsWith('~') };
}

function dynamicWord(text: string, lead: string, splits: boolean, fetched: boolean): ShellWord {
  return { value: null, lead, splits, base: null, tilde: false, fetched, text };
}

interface Gathered {
  value: string;
  /** Length of the value before the first wildcard. */
  wildcardAt: number | null;
}

function partsWord(word: Word, parts: readonly WordPart[], fetched: boolean): ShellWord {
  const gathered: Gathered = { value: '', wildcardAt: null };
  for (const part of parts) {
    if (!gather(part, gathered)) return dynamicWord(word.text, gathered.value, splits(parts), fetched);
  }
  const { value, wildcardAt } = gathered;
  const base = wildcardAt === null ? null : value.slice(0, value.lastIndexOf('/', wildcardAt - 1) + 1);
  return {
    value,
    lead: value,
    splits: false,
    base,
    tilde: word.text.startsWith('~'),
    fetched,
    text: word.text,
  };
}

/** Adds a part's static text; false where the rest is known only at run time. */
function gather(part: WordPart, into: Gathered): boolean {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      into.value += part.value;
      return true;
    case 'Glob':
    case 'ExtendedGlob':
      into.wildcardAt ??= into.value.length;
      into.value += part.type === 'Glob' ? part.value : part.text;
      return !(part.parts ?? []).some(isDynamic);
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.every((child) => gather(child, into));
    case 'BraceExpansion':
    case 'SimpleExpansion':
    case 'ParameterExpansion':
    case 'CommandExpansion':
    case 'ArithmeticExpansion':
    case 'ProcessSubstitution':
      return false;
  }
}

function isDynamic(part: WordPart): boolean {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return false;
    case 'Glob':
    case 'ExtendedGlob':
    case 'BraceExpansion':
      return (part.parts ?? []).some(isDynamic);
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.some(isDynamic);
    case 'SimpleExpansion':
    case 'ParameterExpansion':
    case 'CommandExpansion':
    case 'ArithmeticExpansion':
    case 'ProcessSubstitution':
      return true;
  }
}

function hasBraces(parts: readonly WordPart[]): boolean {
  return parts.some((part) => part.type === 'BraceExpansion');
}

/** An expansion outside double quotes is split into words, but a process substitution is always one path. */
function splits(parts: readonly WordPart[]): boolean {
  return parts.some((part) => {
    if (part.type === 'DoubleQuoted' || part.type === 'LocaleString') return part.text.includes('@');
    return isDynamic(part) && part.type !== 'ProcessSubstitution';
  });
}

/** One result of a brace expansion, read again as a word of its own: quotes, tildes and wildcards still count. */
function reparsed(text: string): ShellWord | null {
  if (text === '') return staticWord('', '');
  if (/^[\w@%+=:,./-]+$/.test(text)) return staticWord(text, text);
  const script = parse(`: ${text}`);
  const command = script.commands[0]?.command;
  if (script.errors !== undefined && script.errors.length > 0) return null;
  if (script.commands.length !== 1 || command?.type !== 'Command') return null;
  const [only, ...others] = command.suffix;
  if (only?.type !== 'Word' || others.length > 0 || command.prefix.length > 0) return null;
  return only.parts === undefined ? literalWord(only) : partsWord(only, only.parts, false);
}
