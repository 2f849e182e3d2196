/** How a language writes what is no code. */
export interface Lexis {
  readonly lineComment: '//' | '#';
  readonly blockComments: 'none' | 'plain' | 'nested';
  /** Quotes of strings with backslash escapes; they end with their line, except in Rust. */
  readonly quotes: readonly string[];
  /** Longer quotes of strings over several lines. */
  readonly longQuotes: readonly string[];
  /** What a backtick starts: a template with code in it, or a raw string. */
  readonly backtick: 'none' | 'template' | 'raw';
  /** `/x/` may be a regular expression. */
  readonly regex: boolean;
  /** `r#"…"#`, and `'a` may be a lifetime. */
  readonly rust: boolean;
}

/**
 * The source with every comment, string and regular expression blanked out, all line breaks kept: what is left can be
 * searched for declarations line by line. One pass, linear; an unclosed string ends with the file.
 */
export function blankNonCode(source: string, lexis: Lexis): string {
  return new Blanker(source, lexis).run();
}

class Blanker {
  private readonly parts: string[] = [];
  private at = 0;
  /** Start of the code that was not copied yet. */
  private from = 0;
  /** The last character of code that is no space: tells a division from a regular expression. */
  private last = '';
  /** Slashes of this line that started no regular expression. */
  private failures = 0;

  constructor(
    private readonly source: string,
    private readonly lexis: Lexis,
  ) {}

  run(): string {
    while (this.at < this.source.length) this.step();
    this.parts.push(this.source.slice(this.from));
    return this.parts.join('');
  }

  private step(): void {
    const end = this.endOfNonCode();
    if (end === null) {
      const character = this.source[this.at] ?? '';
      if (character.trim() !== '') this.last = character;
      else if (character === '\n') this.failures = 0;
      this.at += 1;
      return;
    }
    this.parts.push(this.source.slice(this.from, this.at), blanked(this.source.slice(this.at, end)));
    this.last = '"';
    this.at = end;
    this.from = end;
  }

  /** Where the comment, string or regular expression that starts here ends; null = code is here. */
  private endOfNonCode(): number | null {
    const { source, lexis, at } = this;
    const character = source[at] ?? '';
    if (source.startsWith(lexis.lineComment, at)) return lineEnd(source, at);
    if (lexis.blockComments !== 'none' && source.startsWith('/*', at)) {
      return blockEnd(source, at, lexis.blockComments === 'nested');
    }
    const long = lexis.longQuotes.find((quote) => source.startsWith(quote, at));
    if (long !== undefined) return after(source, long, at + long.length);
    if (lexis.rust) {
      const raw = this.rustRawEnd();
      if (raw !== null) return raw;
      if (character === "'") return charEnd(source, at);
    }
    if (lexis.quotes.includes(character)) return quotedEnd(source, at, character, lexis.rust);
    if (character === '`' && lexis.backtick === 'raw') return after(source, '`', at + 1);
    if (character === '`' && lexis.backtick === 'template') return templateEnd(source, at);
    if (character === '/' && lexis.regex && this.failures < MOST_FAILURES && this.mayStartRegex()) {
      const end = regexEnd(source, at);
      if (end === null) this.failures += 1;
      return end;
    }
    return null;
  }

  private rustRawEnd(): number | null {
    if (this.source[this.at] !== 'r' || /\w/.test(this.source[this.at - 1] ?? '')) return null;
    let hashes = 0;
    while (this.source[this.at + 1 + hashes] === '#') hashes += 1;
    if (this.source[this.at + 1 + hashes] !== '"') return null;
    return after(this.source, `"${'#'.repeat(hashes)}`, this.at + 2 + hashes);
  }

  private mayStartRegex(): boolean {
    if (/[)\]}\w$"'`]/.test(this.last)) {
      // A word before it is a value, unless it is one of those that a value follows.
      return /\b(?:return|typeof|case|in|of|delete|void|throw|new|do|else|await|yield)\s*$/.test(
        this.source.slice(Math.max(this.from, this.at - 12), this.at),
      );
    }
    return true;
  }
}

function blanked(text: string): string {
  return text.replace(/[^\r\n]+/g, ' ');
}

function lineEnd(source: string, at: number): number {
  const end = source.indexOf('\n', at);
  return end === -1 ? source.length : end;
}

function after(source: string, mark: string, from: number): number {
  const end = source.indexOf(mark, from);
  return end === -1 ? source.length : end + mark.length;
}

function blockEnd(source: string, at: number, nested: boolean): number {
  if (!nested) return after(source, '*/', at + 2);
  let depth = 1;
  for (let index = at + 2; index < source.length; index += 1) {
    if (source.startsWith('/*', index)) depth += 1;
    else if (source.startsWith('*/', index)) depth -= 1;
    else continue;
    index += 1;
    if (depth === 0) return index + 1;
  }
  return source.length;
}

/** A string that may not run over lines and is still open at the end of one ends there: it is no valid program anyway. */
function quotedEnd(source: string, at: number, quote: string, overLines = false): number {
  for (let index = at + 1; index < source.length; index += 1) {
    const character = source[index];
    if (character === '\\') index += 1;
    else if (character === quote) return index + 1;
    else if (character === '\n' && !overLines) return index;
  }
  return source.length;
}

/** `'x'` or `'\n'`; anything else is a lifetime, of which only the quote is passed over. */
function charEnd(source: string, at: number): number {
  const match = /^'(?:\\(?:u\{[0-9a-fA-F]+\}|x..|.)|[^\\'\n])'/u.exec(source.slice(at, at + 14));
  return at + (match?.[0].length ?? 1);
}

/** With the code in `${…}`, which may hold templates and strings again. */
function templateEnd(source: string, at: number): number {
  // The stack of what is open: a template, or so many braces inside an expression.
  const open: ('template' | number)[] = ['template'];
  for (let index = at + 1; index < source.length; index += 1) {
    const character = source[index];
    const top = open.at(-1);
    if (character === '\\') index += 1;
    else if (top === 'template') {
      if (character === '`') open.pop();
      else if (character === '$' && source[index + 1] === '{') {
        open.push(0);
        index += 1;
      }
    } else if (typeof top === 'number') {
      if (character === '`') open.push('template');
      else if (character === '"' || character === "'") index = quotedEnd(source, index, character) - 1;
      else if (character === '{') open[open.length - 1] = top + 1;
      else if (character === '}') {
        if (top === 0) open.pop();
        else open[open.length - 1] = top - 1;
      }
    }
    if (open.length === 0) return index + 1;
  }
  return source.length;
}

/** A line is looked through for each of its slashes, so both are bounded. */
const MOST_REGEX_CHARACTERS = 1000;
const MOST_FAILURES = 32;

/** A slash in a class ends nothing. Without an end on its line it was a division. */
function regexEnd(source: string, at: number): number | null {
  let inClass = false;
  const end = Math.min(source.length, at + MOST_REGEX_CHARACTERS);
  for (let index = at + 1; index < end; index += 1) {
    const character = source[index];
    if (character === '\n') return null;
    if (character === '\\') index += 1;
    else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === '/' && !inClass) return index + 1;
  }
  return null;
}
