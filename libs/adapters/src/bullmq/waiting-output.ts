/** What may wait for a Redis that is slow or away. */
const MOST_WAITING = 4 * 1024 * 1024;

/**
 * Output on its way to Redis, in the pieces in which it came. They are joined only as they are taken: text that is put
 * together again and again leaves garbage of megabytes, which stays until the whole heap is looked through.
 */
export class WaitingOutput {
  #pieces: string[] = [];
  #length = 0;
  #skipped = 0;

  /** In characters. */
  get length(): number {
    return this.#length;
  }

  push(text: string): void {
    if (text === '') return;
    this.#pieces.push(text);
    this.#length += text.length;
    if (this.#length <= MOST_WAITING) return;
    let drop = 0;
    while (this.#length > MOST_WAITING / 2 && drop < this.#pieces.length - 1) {
      const gone = this.#pieces[drop]?.length ?? 0;
      this.#length -= gone;
      this.#skipped += gone;
      drop += 1;
    }
    this.#pieces.splice(0, drop);
  }

  /** What was taken and did not arrive, before everything else. */
  putBack(texts: readonly string[]): void {
    const back = texts.filter((text) => text !== '');
    this.#pieces.unshift(...back);
    this.#length += back.reduce((sum, text) => sum + text.length, 0);
  }

  /** About so many characters from the beginning; after a gap, with how large it was. */
  take(most: number): string {
    let text = this.#skipped === 0 ? '' : `\n[${this.#skipped} characters were lost here]\n`;
    this.#skipped = 0;
    let taken = 0;
    for (; taken < this.#pieces.length && text.length < most; taken += 1) {
      const piece = this.#pieces[taken] ?? '';
      text += piece;
      this.#length -= piece.length;
    }
    this.#pieces.splice(0, taken);
    return text;
  }
}
