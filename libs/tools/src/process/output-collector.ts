import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, writeSync } from 'node:fs';

/** Masks secrets in what goes to disk; see `ToolOptions.scrubStream`. */
export interface ScrubStream {
  push(chunk: string): string;
  end(): string;
}

export interface CollectorOptions {
  /** Kept of the start, and as much again of the end. */
  readonly mostCharacters: number;
  /** The full text goes here once it outgrows the memory; a private file. */
  readonly spillFile: string;
  readonly mostSpillBytes: number;
  readonly scrub?: ScrubStream;
}

export interface CollectedOutput {
  readonly text: string;
  readonly bytes: number;
  /** Characters between head and tail that are not in `text`. */
  readonly omitted: number;
  readonly spill: string | undefined;
  /** Rows of `text`, counted from 0, that came from the standard error whole. */
  readonly stderr: readonly number[];
  /** Set when the output is not text: what is said instead of it. */
  readonly binary: { readonly bytes: number; readonly sha256: string } | undefined;
}

/** Output of a child process: bounded in memory to head and tail, in full on disk. Streams are merged as they come. */
export class OutputCollector {
  private readonly hash = createHash('sha256');
  private readonly decoders = {
    stdout: new TextDecoder('utf-8', { ignoreBOM: true }),
    stderr: new TextDecoder('utf-8', { ignoreBOM: true }),
  };
  private bytes = 0;
  private characters = 0;
  private replaced = 0;
  private nul = false;
  private readonly head = new MarkedPieces();
  private readonly tail = new MarkedPieces();
  private spill: number | undefined;
  private wanted = false;
  private spilled = 0;

  constructor(private readonly options: CollectorOptions) {}

  /** Returns the text to show live; empty once the output turned out to be binary. */
  push(stream: 'stdout' | 'stderr', bytes: Buffer): string {
    this.bytes += bytes.length;
    this.hash.update(bytes);
    this.nul ||= bytes.includes(0);
    const text = this.decoders[stream].decode(bytes, { stream: true });
    this.take(text, stream);
    return this.isBinary() ? '' : text;
  }

  finish(): CollectedOutput {
    this.take(this.decoders.stdout.decode(), 'stdout');
    this.take(this.decoders.stderr.decode(), 'stderr');
    this.writeSpill(this.options.scrub?.end() ?? '');
    if (this.spill !== undefined) closeSync(this.spill);
    const omitted = this.characters - this.head.length - this.tail.length;
    const binary = this.isBinary() ? { bytes: this.bytes, sha256: this.hash.digest('hex') } : undefined;
    const [head, tail] = [this.head.joined(), this.tail.joined()];
    const all = { text: head.text + tail.text, from: head.from + tail.from };
    const kept = omitted === 0 ? all : joinCut(all, head.text.length);
    return {
      text: kept.text,
      bytes: this.bytes,
      omitted,
      spill: this.spill === undefined ? undefined : this.options.spillFile,
      stderr: rowsFrom('e', kept),
      binary,
    };
  }

  private isBinary(): boolean {
    // A word or two in another encoding is still text.
    return this.nul || this.replaced * 3 > this.characters;
  }

  private take(text: string, stream: 'stdout' | 'stderr'): void {
    if (text === '') return;
    const { mostCharacters } = this.options;
    for (let at = text.indexOf('\uFFFD'); at !== -1; at = text.indexOf('\uFFFD', at + 1)) this.replaced += 1;
    this.characters += text.length;
    const room = mostCharacters - this.head.length;
    const rest = room > 0 ? text.slice(room) : text;
    if (!this.wanted && this.tail.length + rest.length > mostCharacters)
      this.openSpill(this.head.joined().text + this.tail.joined().text);
    if (room > 0) this.head.push(text.slice(0, room), stream);
    this.tail.push(rest, stream);
    this.tail.keepLast(mostCharacters);
    if (this.spillGoesOn()) this.writeSpill(this.options.scrub?.push(text) ?? text);
  }

  /** What no longer fits there need not be scrubbed for it. */
  private spillGoesOn(): boolean {
    return this.spill !== undefined && this.spilled < this.options.mostSpillBytes;
  }

  private openSpill(soFar: string): void {
    this.wanted = true;
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    try {
      this.spill = openSync(this.options.spillFile, flags, 0o600);
    } catch {
      // A full disk must not end the command: the result then says that the rest is lost.
      return;
    }
    this.writeSpill(this.options.scrub?.push(soFar) ?? soFar);
  }

  private writeSpill(text: string): void {
    if (this.spill === undefined || !this.spillGoesOn()) return;
    const bytes = Buffer.from(text, 'utf8').subarray(0, this.options.mostSpillBytes - this.spilled);
    try {
      this.spilled += writeSync(this.spill, bytes);
    } catch {
      closeSync(this.spill);
      this.spill = undefined;
    }
  }
}

const SMALL = 4_096;

/**
 * Text in the pieces in which it came, and from which stream each is. Joined only at the end: of output without end, strings
 * that are put together and cut again leave as much garbage.
 */
class MarkedPieces {
  private readonly pieces: { readonly text: string; readonly stream: 'stdout' | 'stderr' }[] = [];
  length = 0;

  push(text: string, stream: 'stdout' | 'stderr'): void {
    if (text === '') return;
    const last = this.pieces.at(-1);
    // Many small ones are joined all the same: a list of single characters would cost more than they do.
    if (last?.stream === stream && last.text.length < SMALL)
      this.pieces[this.pieces.length - 1] = { text: last.text + text, stream };
    else this.pieces.push({ text, stream });
    this.length += text.length;
  }

  keepLast(most: number): void {
    for (let first = this.pieces[0]; first !== undefined && this.length > most; first = this.pieces[0]) {
      const over = this.length - most;
      if (over >= first.text.length) this.pieces.shift();
      else this.pieces[0] = { ...first, text: first.text.slice(over) };
      this.length -= Math.min(over, first.text.length);
    }
  }

  joined(): MarkedText {
    return {
      text: this.pieces.map(({ text }) => text).join(''),
      from: this.pieces
        .map(({ text, stream }) => (stream === 'stderr' ? 'e' : 'o').repeat(text.length))
        .join(''),
    };
  }
}

interface MarkedText {
  readonly text: string;
  /** As long as the text: a letter for each character, which stream it came from. */
  readonly from: string;
}

const CUT = '[… output cut …]\n';

/** Cut at line ends: half a line could be half a secret, which no pattern finds any more. `at`: where the tail begins. */
function joinCut({ text, from }: MarkedText, at: number): MarkedText {
  const headEnd = text.lastIndexOf('\n', at - 1) + 1 || at;
  const lineEnd = text.indexOf('\n', at) + 1;
  const tailStart = lineEnd === 0 || lineEnd === text.length ? at : lineEnd;
  const between = text[headEnd - 1] === '\n' ? CUT : `\n${CUT}`;
  return {
    text: text.slice(0, headEnd) + between + text.slice(tailStart),
    from: from.slice(0, headEnd) + ' '.repeat(between.length) + from.slice(tailStart),
  };
}

/** Rows of which every character is marked so; their line end does not count, and blank rows are nobody's. */
function rowsFrom(mark: string, { text, from }: MarkedText): number[] {
  const rows: number[] = [];
  let at = 0;
  for (const [index, row] of text.split('\n').entries()) {
    const marks = from.slice(at, at + row.length);
    if (row.trim() !== '' && marks === mark.repeat(row.length)) rows.push(index);
    at += row.length + 1;
  }
  return rows;
}
