/** What is said in place of text that came faster than it was taken. */
const SKIPPED = '\n[… live output skipped …]\n';
const MOST_CHARACTERS = 64 * 1024;

/** Text from a pipe for a reader that may be slower: what waits is joined, and beyond a bound its middle is skipped. */
export class TextQueue implements AsyncIterable<string> {
  private waiting = '';
  private closed = false;
  private wake: (() => void) | undefined;

  push(text: string): void {
    if (text === '') return;
    this.waiting += text;
    if (this.waiting.length > MOST_CHARACTERS) {
      this.waiting = SKIPPED + this.waiting.slice(-MOST_CHARACTERS / 2);
    }
    this.wake?.();
  }

  close(): void {
    this.closed = true;
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    for (;;) {
      if (this.waiting !== '') {
        const text = this.waiting;
        this.waiting = '';
        yield text;
      } else if (this.closed) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      }
    }
  }
}
