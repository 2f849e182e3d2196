import { hasOption, optionValues, scanOptions } from './option-scan.js';
import type { ShellWord } from './shell-word.js';

/** What one awk call does besides printing. */
export interface AwkReading {
  /** Why it may run other programs, or null. */
  readonly runs: string | null;
  /** It may write files whose names only the running program knows. */
  readonly writes: boolean;
  /** It may read files besides its operands. */
  readonly reads: boolean;
  readonly files: readonly ShellWord[];
  readonly scripts: readonly ShellWord[];
}

export function readAwkProgram(args: readonly ShellWord[]): AwkReading {
  const scanned = scanOptions(args, {
    short: 'fvFeEil',
    long: ['file', 'assign', 'field-separator', 'source', 'exec', 'include', 'load'],
    stopAtOperand: true,
  });
  const scripts = optionValues(scanned, '-f', '--file', '-E', '--exec', '-i', '--include', '-l', '--load');
  const sources = optionValues(scanned, '-e', '--source');
  const explicit = scripts.length + sources.length > 0;
  const code = explicit ? sources : scanned.operands.slice(0, 1);
  const files = (explicit ? scanned.operands : scanned.operands.slice(1)).filter(
    (word) => !/^[A-Za-z_]\w*=/.test(word.value ?? ''),
  );
  const inPlace = optionValues(scanned, '-i', '--include').some((word) => word.value === 'inplace');
  if (hasOption(scanned, '-l', '--load'))
    return { runs: 'loads an extension', writes: true, reads: true, files, scripts };
  if (code.some((word) => word.value === null))
    return { runs: 'a program that is not static', writes: true, reads: true, files, scripts };
  const found = code.map((word) => awkTokens(word.value ?? ''));
  return {
    runs: found.find((tokens) => tokens.runs !== null)?.runs ?? null,
    reads: found.some((tokens) => tokens.reads),
    writes: inPlace || found.some((tokens) => tokens.writes),
    files,
    scripts,
  };
}

/**
 * Reads the program token by token, so that strings, regular expressions and comments do not count. A `>` behind `print`
 * in the same statement writes a file; any single `|` starts a program.
 */
function awkTokens(text: string): { runs: string | null; writes: boolean; reads: boolean } {
  let printing = false;
  let operand = false;
  let parentheses = 0;
  let writes = false;
  let reads = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '"' || (character === '/' && !operand)) {
      at = pastDelimiter(text, at, character);
      operand = true;
    } else if (character === '#') {
      while (at < text.length && text[at] !== '\n') at++;
    } else if (/[A-Za-z_]/.test(character)) {
      const name = /^\w+/.exec(text.slice(at, at + 64))?.[0] ?? character;
      if (name === 'system') return { runs: 'system()', writes, reads };
      // `getline < name` reads a file, and its name may be computed.
      reads ||= name === 'getline';
      printing ||= name === 'print' || name === 'printf';
      operand = !/^(?:print|printf|return|in|getline)$/.test(name);
      at += name.length - 1;
    } else if (character === '@') {
      return { runs: 'an indirect call or extension', writes, reads };
    } else if (character === '|') {
      if (text[at + 1] !== '|') return { runs: 'a pipe to a program', writes, reads };
      at++;
      operand = false;
    } else {
      if (character === '(') parentheses++;
      if (character === ')') parentheses--;
      if (character === '>' && printing && parentheses <= 0) writes = true;
      if (/[;}\n{]/.test(character)) printing = false;
      if (!/\s/.test(character)) operand = /[\w)\]$.]/.test(character);
    }
  }
  return { runs: null, writes, reads };
}

function pastDelimiter(text: string, open: number, delimiter: string): number {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === delimiter) return at;
  }
  return text.length;
}
