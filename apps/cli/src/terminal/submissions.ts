/** One message is worked on at a time; what is sent meanwhile waits, in order. */
export class Submissions {
  private readonly waiting: string[] = [];
  private current: string | null = null;

  constructor(
    private readonly work: (text: string) => Promise<void>,
    private readonly changed: () => void,
  ) {}

  isBusy(): boolean {
    return this.current !== null;
  }

  queued(): readonly string[] {
    return this.waiting;
  }

  add(text: string): void {
    this.waiting.push(text);
    if (this.current === null) void this.drain();
    else this.changed();
  }

  /** After an interrupt: what waited, and with `current` the message that was worked on, to be edited and sent again. */
  takeBack(current: boolean): string {
    const texts = [...(current && this.current !== null ? [this.current] : []), ...this.waiting];
    this.waiting.length = 0;
    return texts.join('\n');
  }

  // `work` reports its own errors; it does not reject.
  private async drain(): Promise<void> {
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      this.current = next;
      this.changed();
      await this.work(next);
      this.current = null;
    }
    this.changed();
  }
}
