import type { FileHandle } from 'node:fs/promises';
import type { TextFormat } from '../text/text-encoding.js';

export interface LineWindow {
  /** 1-based. */
  readonly offset: number;
  readonly limit: number;
  readonly mostLineCharacters: number;
  /** Of the returned text, in characters. */
  readonly mostCharacters: number;
}

export interface LinesRead {
  readonly lines: readonly string[];
  /** Lines that were cut at `mostLineCharacters`. */
  readonly cutLines: number;
  /** Lines of the whole file, where its end was reached. */
  readonly totalLines: number | undefined;
  readonly crlf: boolean;
}

const CHUNK_BYTES = 64 * 1024;
const LABELS = { utf8: 'utf-8', utf16le: 'utf-16le', utf16be: 'utf-16be', latin1: 'latin1' } as const;

/**
 * Some lines of a file, reading no further than they reach: the first lines of a huge file cost their own bytes, and a
 * line without end costs what is shown of it.
 */
export async function readLines(
  handle: FileHandle,
  format: TextFormat,
  window: LineWindow,
  signal: AbortSignal,
): Promise<LinesRead> {
  const collector = new LineCollector(window);
  const decoder = new TextDecoder(LABELS[format.encoding]);
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let position = format.bom.length;
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, position);
    position += bytesRead;
    const chunk = buffer.subarray(0, bytesRead);
    // `latin1` as TextDecoder knows it is windows-1252, which has no answer for some bytes.
    const text =
      format.encoding === 'latin1'
        ? chunk.toString('latin1')
        : decoder.decode(chunk, { stream: bytesRead > 0 });
    collector.push(text);
    if (bytesRead === 0) return collector.finish();
    if (collector.done) return collector.result(undefined);
  }
}

class LineCollector {
  private readonly lines: string[] = [];
  private readonly last: number;
  private line = 1;
  private pending = '';
  private pendingLength = 0;
  private characters = 0;
  private cutLines = 0;
  private crlf = false;
  done = false;

  constructor(private readonly window: LineWindow) {
    this.last = window.offset + window.limit - 1;
  }

  push(text: string): void {
    let from = 0;
    for (let at = text.indexOf('\n'); at !== -1 && !this.done; at = text.indexOf('\n', from)) {
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

  finish(): LinesRead {
    if (this.pendingLength > 0 && !this.done) this.endLine();
    return this.result(this.done ? undefined : this.line - 1);
  }

  result(totalLines: number | undefined): LinesRead {
    return { lines: this.lines, cutLines: this.cutLines, totalLines, crlf: this.crlf };
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
    this.lines.push(line);
    this.characters += line.length + 1;
  }
}
