import { WrongStackError } from '@wrongstack/contracts';

/** The lines of a patch and a place among them. */
export class PatchLines {
  private readonly lines: readonly string[];
  private at = 0;

  constructor(text: string) {
    // A CRLF patch is about lines: what endings the file gets is the file's matter.
    this.lines = text.replace(/\r\n/g, '\n').split('\n');
    if (this.lines.at(-1) === '') this.lines = this.lines.slice(0, -1);
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

  /** Whether all lines from here on are blank. */
  get onlyBlanksLeft(): boolean {
    return this.lines.slice(this.at).every((line) => line.trim() === '');
  }
}

export function malformed(message: string, line?: number): WrongStackError {
  const where = line === undefined ? 'patch' : `patch line ${line}`;
  return new WrongStackError('patch.malformed', `${where}: ${message}`, { path: '/patch' });
}

/** A file name from a header line. */
export function headerPath(text: string, line: number): string {
  const path = text.trim();
  if (path === '') throw malformed('the header names no file', line);
  if (path.includes('\0')) throw malformed('the file name contains a NUL byte', line);
  return path;
}
