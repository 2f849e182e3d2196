/** A message; null = go on with what a resumed session left open. */
export type Submission = string | null;

/** One message is worked on at a time; what is sent meanwhile waits, in order. */
export class Submissions {
  private readonly waiting: Submission[] = [];
  private current: { readonly text: Submission } | null = null;
  private commands = 0;

  constructor(
    private readonly work: (text: Submission) => Promise<void>,
    private readonly changed: () => void,
  ) {}

  isBusy(): boolean {
    return this.current !== null;
  }

  /** A slash command was sent and has not answered yet. */
  isAnswering(): boolean {
    return this.commands > 0;
  }

  queued(): readonly string[] {
    return this.waiting.filter((text) => text !== null);
  }

  add(text: Submission): void {
    this.waiting.push(text);
    if (this.current === null) void this.drain();
    else this.changed();
  }

  /** Commands wait for nothing, and nothing for them. `answered` does not reject. */
  async command(answered: Promise<unknown>): Promise<void> {
    this.commands += 1;
    await answered;
    this.commands -= 1;
    this.changed();
  }

  /** Other work in a message's place: what is sent meanwhile waits. While a message is worked on it is not waited for. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.current !== null) return work();
    this.current = { text: null };
    this.changed();
    try {
      return await work();
    } finally {
      this.current = null;
      void this.drain();
    }
  }

  /** After an interrupt: what waited, and with `current` the message that was worked on, to be edited and sent again. */
  takeBack(current: boolean): string {
    const texts = [current ? (this.current?.text ?? null) : null, ...this.waiting];
    this.waiting.length = 0;
    return texts.filter((text) => text !== null).join('\n');
  }

  // `work` reports its own errors; it does not reject.
  private async drain(): Promise<void> {
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      this.current = { text: next };
      this.changed();
      await this.work(next);
      this.current = null;
    }
    this.changed();
  }
}
