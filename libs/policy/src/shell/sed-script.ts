import { scanOptions, optionValues, hasOption, type OptionShape } from './option-scan.js';
import { staticWord, type ShellWord } from './shell-word.js';

/** What the scripts of one sed call do besides editing the stream. */
export interface SedReading {
  /** Shell code of `e` commands; null = the text that is being edited. */
  readonly runs: readonly (string | null)[];
  readonly writes: readonly ShellWord[];
  readonly reads: readonly ShellWord[];
  /** Every command only prints, deletes or quits. */
  readonly harmless: boolean;
  /** Why the script could not be read, or null. */
  readonly unreadable: string | null;
  readonly files: readonly ShellWord[];
  readonly inPlace: boolean;
  /** An option may hide in a word that is not static. */
  readonly dynamic: boolean;
}

const SED: OptionShape = { short: 'efl', long: ['expression', 'file', 'line-length'] };

export function readSedScripts(args: readonly ShellWord[]): SedReading {
  // `-i` and `-E` cluster with others, and -i takes only a glued suffix.
  const scanned = scanOptions(args, { ...SED, short: 'eflI' });
  const inPlace =
    args.some((word) => /^-[a-zA-Z]*i|^--in-place|^--in-/.test(word.value ?? '')) ||
    hasOption(scanned, '-I', '--in-place');
  const scripts = optionValues(scanned, '-e', '--expression');
  const files = optionValues(scanned, '-f', '--file');
  const explicit = scripts.length + files.length > 0;
  const [first, ...others] = scanned.operands;
  // On macOS `-i ''` takes a word of its own, so the script may be the second operand.
  const suffix = inPlace && first?.value === '' ? others.slice(0, 1) : [];
  const code = explicit ? scripts : first === undefined ? [] : [first, ...suffix];
  const reader = new SedReader();
  for (const word of code) {
    if (word.value === null) reader.unreadable ??= 'a sed script that is not static';
    else reader.read(word.value);
  }
  if (files.length > 0) reader.unreadable ??= 'a sed script in a file';
  if (scanned.dynamic) reader.harmless = false;
  return {
    runs: reader.runs,
    writes: reader.writes.map((name) => staticWord(name)),
    reads: [...reader.reads.map((name) => staticWord(name)), ...files],
    harmless: reader.harmless && reader.unreadable === null,
    unreadable: reader.unreadable,
    files: explicit ? scanned.operands : others,
    inPlace,
    dynamic: scanned.dynamic,
  };
}

class SedReader {
  readonly runs: (string | null)[] = [];
  readonly writes: string[] = [];
  readonly reads: string[] = [];
  harmless = true;
  unreadable: string | null = null;
  private text = '';
  private at = 0;
  private lastBracket = -1;

  read(text: string): void {
    this.text = text;
    this.at = 0;
    this.lastBracket = text.lastIndexOf(']');
    while (this.at < this.text.length && this.unreadable === null) this.command();
  }

  private command(): void {
    this.skip(/[\s;]/);
    if (this.at >= this.text.length) return;
    this.address();
    this.skip(/\s/);
    if (this.peek() === ',') {
      this.at++;
      this.skip(/\s/);
      this.address();
    }
    this.skip(/[\s!]/);
    this.verb(this.text[this.at++] ?? '');
  }

  private verb(verb: string): void {
    switch (verb) {
      case '':
        return;
      case 'p':
      case 'P':
      case 'd':
      case 'D':
      case 'q':
      case 'Q':
      case '=':
      case 'n':
      case 'N':
      case 'g':
      case 'G':
      case 'h':
      case 'H':
      case 'x':
      case 'l':
      case 'L':
      case 'z':
      case 'F':
      case '{':
      case '}':
        this.skip(/[\d ]/);
        return;
      case '#':
        this.line();
        return;
      case ':':
      case 'b':
      case 't':
      case 'T':
      case 'v':
        // Versions end a label at a blank, a semicolon or the line's end; what may be a command is read as one.
        this.skip(/[ \t]/);
        this.until(/[\s;}]/);
        return;
      case 'a':
      case 'i':
      case 'c':
        this.appended();
        return;
      case 's':
        this.substitute();
        return;
      case 'y':
        this.delimited(2);
        return;
      case 'w':
      case 'W':
        this.output(this.line().trim());
        return;
      case 'r':
      case 'R':
        this.harmless = false;
        this.reads.push(this.line().trim());
        return;
      case 'e': {
        const code = this.line().trim();
        this.harmless = false;
        this.runs.push(code === '' ? null : code);
        return;
      }
      default:
        this.unreadable = `a sed script with an unknown command ${verb}`;
    }
  }

  private output(name: string): void {
    this.harmless = false;
    if (name !== '/dev/stdout' && name !== '/dev/stderr') this.writes.push(name);
  }

  /** `s/a/b/flags`: `e` runs the result, `w file` writes it. */
  private substitute(): void {
    if (!this.delimited(2)) return;
    this.harmless = false;
    for (;;) {
      const flag = this.peek();
      if (flag === 'w') {
        this.at++;
        this.output(this.line().trim());
        return;
      }
      if (flag === 'e') this.runs.push(null);
      else if (!/[gpiImM\d]/.test(flag) || flag === '') return;
      this.at++;
    }
  }

  /** Text up to an unescaped line end. */
  private appended(): void {
    for (; this.at < this.text.length; this.at++) {
      if (this.text[this.at] === '\\') this.at++;
      else if (this.text[this.at] === '\n') return;
    }
  }

  private address(): void {
    const start = this.peek();
    if (start === '/' || start === '\\') {
      if (start === '\\') this.at++;
      this.delimited(1);
      this.skip(/[IM]/);
      return;
    }
    this.skip(/[\d$~+]/);
  }

  /** Skips `count` stretches between the delimiter that stands here. */
  private delimited(count: number): boolean {
    const delimiter = this.text[this.at++] ?? '';
    let left = count;
    let bracket = false;
    for (; this.at < this.text.length && left > 0; this.at++) {
      const character = this.text[this.at];
      if (character === '\\') this.at++;
      else if (bracket) {
        bracket = character !== ']';
        // Older versions end the expression here, so what follows would be other commands.
        if (character === delimiter) this.unreadable ??= 'a sed script that versions of sed read differently';
      } else if (character === '[' && delimiter !== '[' && left === count && this.closesBracket()) {
        bracket = true;
        // A `]` right behind the opening, or behind `[^`, is a member.
        if (this.text[this.at + 1] === '^') this.at++;
        if (this.text[this.at + 1] === ']') this.at++;
      } else if (character === delimiter) left--;
    }
    if (left > 0) this.unreadable = 'a sed script with an unfinished command';
    return left === 0;
  }

  private closesBracket(): boolean {
    return this.lastBracket > this.at + 1;
  }

  private peek(): string {
    return this.text[this.at] ?? '';
  }

  private skip(pattern: RegExp): void {
    while (this.at < this.text.length && pattern.test(this.peek())) this.at++;
  }

  private until(pattern: RegExp): void {
    while (this.at < this.text.length && !pattern.test(this.peek())) this.at++;
  }

  private line(): string {
    const from = this.at;
    this.until(/\n/);
    return this.text.slice(from, this.at);
  }
}
