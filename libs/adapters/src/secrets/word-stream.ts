/** A word longer than this is cut where its own content says so, which keeps memory and time bounded. */
export const LONGEST_WORD = 8192;

/** White space, and the colour sequences that programs put around words. */
const SEPARATOR = /[ \t\r\n\f\v]|\u001b\[[0-9;?]{0,14}[A-Za-z]/g;
/** Longest text that may still turn out to be a separator. */
const SEPARATOR_MARGIN = 32;

export interface WordSink {
  /** `cut`: the word goes on in the next call, it was only too long. */
  word(text: string, cut: boolean): string;
  separator(text: string): string;
}

/**
 * Cuts a text into words and separators in such a way that the pieces do not depend on how it arrived: a piece is
 * handed on only when nothing that may follow could change it. Held back is at most one word.
 */
export class WordStream {
  private pending = '';
  /** Up to here `pending` is known to hold no separator. */
  private scanned = 0;

  constructor(private readonly sink: WordSink) {}

  push(chunk: string): string {
    this.pending += chunk;
    let out = '';
    let start = 0;
    SEPARATOR.lastIndex = Math.max(0, this.scanned - SEPARATOR_MARGIN);
    for (let match = SEPARATOR.exec(this.pending); match; match = SEPARATOR.exec(this.pending)) {
      out += this.wholeWord(this.pending.slice(start, match.index)) + this.sink.separator(match[0]);
      start = SEPARATOR.lastIndex;
    }
    this.pending = this.pending.slice(start);
    // Certain that no separator begins within the limit: what could become one is shorter than the margin.
    while (this.pending.length > LONGEST_WORD + SEPARATOR_MARGIN) out += this.cutWord();
    this.scanned = this.pending.length;
    return out;
  }

  end(): string {
    const rest = this.pending;
    this.pending = '';
    this.scanned = 0;
    return this.wholeWord(rest);
  }

  private wholeWord(text: string): string {
    let out = '';
    let rest = text;
    while (rest.length > LONGEST_WORD) {
      const at = cutPosition(rest);
      out += this.sink.word(rest.slice(0, at), true);
      rest = rest.slice(at);
    }
    return rest === '' ? out : out + this.sink.word(rest, false);
  }

  private cutWord(): string {
    const at = cutPosition(this.pending);
    const out = this.sink.word(this.pending.slice(0, at), true);
    this.pending = this.pending.slice(at);
    return out;
  }
}

/** Behind the last mark that ends a value in minified text, looked for in the second half; else at the limit. */
function cutPosition(word: string): number {
  for (let at = LONGEST_WORD; at > LONGEST_WORD / 2; at -= 1) {
    if (',;{}&|'.includes(word.charAt(at - 1))) return at;
  }
  return LONGEST_WORD;
}
