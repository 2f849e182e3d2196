import { WrongStackError } from '@wrongstack/contracts';
import { faultOfWord } from '../text/well-formed.js';

/** The lines of a patch and a place among them. */
export class PatchLines {
  private readonly lines: readonly string[];
  private at = 0;
  private filledFrom = 0;
  /** How many lines there are up to the last one that is not empty, not blank. */
  private readonly filled: number;
  private readonly visible: number;

  constructor(text: string) {
    // A CRLF patch is about lines: what endings the file gets is the file's matter.
    this.lines = text.replace(/\r\n/g, '\n').split('\n');
    if (this.lines.at(-1) === '') this.lines = this.lines.slice(0, -1);
    this.filled = endOf(this.lines, (line) => line !== '');
    this.visible = endOf(this.lines, (line) => line.trim() !== '');
  }

  /** Undefined at the end. */
  peek(ahead = 0): string | undefined {
    return this.lines[this.at + ahead];
  }

  next(): string | undefined {
    const line = this.lines[this.at];
    if (line !== undefined) this.at += 1;
    return line;
  }

  /** 1-based number of the line that {@link peek} shows. */
  get number(): number {
    return this.at + 1;
  }

  /** The next line that is not empty; found once for a whole run of empty ones. */
  get upcoming(): string | undefined {
    if (this.filledFrom < this.at) this.filledFrom = this.at;
    while (this.lines[this.filledFrom] === '') this.filledFrom += 1;
    return this.lines[this.filledFrom];
  }

  /** How many lines are left, where all of them are empty; else 0. */
  get onlyEmptyLeft(): number {
    return this.at < this.filled ? 0 : this.lines.length - this.at;
  }

  /** Whether all lines from here on are blank. */
  get onlyBlanksLeft(): boolean {
    return this.at >= this.visible;
  }
}

function endOf(lines: readonly string[], counts: (line: string) => boolean): number {
  for (let end = lines.length; end > 0; end -= 1) if (counts(lines[end - 1] ?? '')) return end;
  return 0;
}

export function malformed(message: string, line?: number): WrongStackError {
  const where = line === undefined ? 'patch' : `patch line ${line}`;
  return new WrongStackError('patch.malformed', `${where}: ${message}`, { path: '/patch' });
}

/** A file name from a header line. */
export function headerPath(text: string, line: number): string {
  const path = text.trim();
  if (path === '') throw malformed('the header names no file', line);
  const fault = faultOfWord(path);
  if (fault !== undefined) throw malformed(`the file name ${fault}`, line);
  return path;
}
