export interface LineWindow {
  /** 1-based. */
  readonly offset: number;
  readonly limit: number;
  readonly mostLineCharacters: number;
  /** Of the returned text, in characters. */
  readonly mostCharacters: number;
}

export interface LinesRead {
  /** The lines, with one LF between them. */
  readonly text: string;
  readonly count: number;
  /** Lines that were cut at `mostLineCharacters`. */
  readonly cutLines: number;
  /** Lines of the whole file, where its end was reached. */
  readonly totalLines: number | undefined;
  readonly crlf: boolean;
}

/**
 * Takes a text piece by piece and keeps the lines of the window. Lines that are shown as they are stay together in one
 * slice; only a line that is long, ends with CR or lies across two pieces is handled by itself.
 */
export class LineCollector {
  private readonly parts: string[] = [];
  private readonly last: number;
  private line = 1;
  private count = 0;
  private pending = '';
  private pendingLength = 0;
  private characters = 0;
  private cutLines = 0;
  private crlf = false;
  /** Nothing more is needed, and more follows. */
  done = false;

  constructor(private readonly window: LineWindow) {
    this.last = window.offset + window.limit - 1;
  }

  push(text: string): void {
    const plain = !text.includes('\r');
    let from = 0;
    while (!this.done) {
      if (plain && this.pendingLength === 0) from = this.takePlain(text, from);
      const at = text.indexOf('\n', from);
      if (at === -1) break;
      this.hold(text, from, at);
      this.endLine();
      from = at + 1;
    }
    if (from < text.length && !this.done) {
      // A first character past the window proves that more follows; the rest of that line need not be read.
      if (this.full()) this.done = true;
      else this.hold(text, from, text.length);
    }
  }

  /** At the end of the text. */
  finish(): LinesRead {
    if (this.pendingLength > 0 && !this.done) this.endLine();
    return this.result(this.done ? undefined : this.line - 1);
  }

  result(totalLines: number | undefined): LinesRead {
    const { count, cutLines, crlf } = this;
    return { text: this.parts.join('\n'), count, cutLines, totalLines, crlf };
  }

  /** The lines from `from` on that are shown as they are, in one slice. Returns where they end. */
  private takePlain(text: string, from: number): number {
    if (this.line < this.window.offset) return from;
    const { mostLineCharacters, mostCharacters } = this.window;
    const mostLines = this.last - this.line + 1;
    const mostEnd = from + mostCharacters - this.characters;
    let lines = 0;
    let to = from;
    while (lines < mostLines && to < mostEnd) {
      const at = text.indexOf('\n', to);
      if (at === -1 || at - to > mostLineCharacters) break;
      lines += 1;
      to = at + 1;
    }
    if (lines === 0) return from;
    this.parts.push(text.slice(from, to - 1));
    this.line += lines;
    this.count += lines;
    this.characters += to - from;
    return to;
  }

  private hold(text: string, from: number, to: number): void {
    this.pendingLength += to - from;
    const room = this.window.mostLineCharacters + 1 - this.pending.length;
    if (room > 0 && this.line >= this.window.offset)
      this.pending += text.slice(from, Math.min(to, from + room));
  }

  private full(): boolean {
    return this.line > this.last || this.characters >= this.window.mostCharacters;
  }

  private endLine(): void {
    if (this.full()) {
      this.done = true;
      return;
    }
    if (this.line >= this.window.offset) this.take();
    this.line += 1;
    this.pending = '';
    this.pendingLength = 0;
  }

  private take(): void {
    let line = this.pending;
    if (line.endsWith('\r')) {
      line = line.slice(0, -1);
      this.crlf = true;
    }
    if (this.pendingLength > this.window.mostLineCharacters + 1) {
      this.cutLines += 1;
      // Never half of a pair at the cut.
      const kept = line.slice(0, this.window.mostLineCharacters).replace(/[\uD800-\uDBFF]$/, '');
      line = `${kept}… [line cut: ${this.pendingLength} characters]`;
    }
    this.parts.push(line);
    this.count += 1;
    this.characters += line.length + 1;
  }
}
