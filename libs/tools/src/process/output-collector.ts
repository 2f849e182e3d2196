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
  private head = '';
  private tail = '';
  /** A letter for each character of head and tail: which stream it came from. */
  private headFrom = '';
  private tailFrom = '';
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
    const all = { text: this.head + this.tail, from: this.headFrom + this.tailFrom };
    const kept = omitted === 0 ? all : joinCut(all, this.head.length);
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
    this.replaced += text.split('\uFFFD').length - 1;
    this.characters += text.length;
    const room = mostCharacters - this.head.length;
    const before = this.head + this.tail;
    const from = (stream === 'stderr' ? 'e' : 'o').repeat(text.length);
    if (room > 0) {
      this.head += text.slice(0, room);
      this.headFrom += from.slice(0, room);
    }
    this.tail += text.slice(Math.max(room, 0));
    this.tailFrom += from.slice(Math.max(room, 0));
    if (this.tail.length > mostCharacters) {
      if (!this.wanted) this.openSpill(before);
      this.tail = this.tail.slice(-mostCharacters);
      this.tailFrom = this.tailFrom.slice(-mostCharacters);
    }
    if (this.spill !== undefined) this.writeSpill(this.options.scrub?.push(text) ?? text);
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
    if (this.spill === undefined || this.spilled >= this.options.mostSpillBytes) return;
    const bytes = Buffer.from(text, 'utf8').subarray(0, this.options.mostSpillBytes - this.spilled);
    try {
      this.spilled += writeSync(this.spill, bytes);
    } catch {
      closeSync(this.spill);
      this.spill = undefined;
    }
  }
}

interface MarkedText {
  readonly text: string;
  /** As long as the text. */
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
