import type { Clock, Disposer } from '@wrongstack/contracts';
import { line, type Line } from './lines.js';
import { messages } from './messages.js';
import type { Scheduler } from './scheduler.js';
import type { Screen, TextOutput } from './screen.js';
import type { Theme } from './theme.js';

const WAIT_LINE_MS = 30_000;

/** Lines only: for screen readers, dumb terminals and pipes. No cursor movement, no spinner. */
export class PlainScreen implements Screen {
  private wait: { text: string; stop: Disposer } | null = null;
  private prompted = false;

  constructor(
    private readonly options: {
      readonly output: TextOutput;
      readonly theme: Theme;
      readonly clock: Clock;
      readonly scheduler: Scheduler;
    },
  ) {}

  print(lines: readonly Line[]): void {
    if (lines.length === 0) return;
    // What comes while the person may be writing starts on a line of its own.
    const start = this.prompted ? '\n' : '';
    this.prompted = false;
    this.options.output.write(start + lines.map((row) => `${this.options.theme.paint(row)}\n`).join(''));
  }

  setRegion(): void {
    // There is no region: what matters is printed.
  }

  waiting(text: string | null): void {
    if (text === null) {
      this.wait?.stop();
      this.wait = null;
    } else if (this.wait === null) this.wait = { text, stop: this.later() };
    else this.wait.text = text;
  }

  prompt(label: string | null): void {
    if (label !== null && !this.prompted) this.options.output.write(`${label} `);
    this.prompted = label !== null;
  }

  resize(): void {
    // The reader wraps.
  }

  flush(): void {
    // Every line was written when it was printed.
  }

  close(): void {
    this.waiting(null);
    if (this.prompted) this.options.output.write('\n');
    this.prompted = false;
  }

  private later(): Disposer {
    return this.options.scheduler(WAIT_LINE_MS, () => {
      if (this.wait === null) return;
      this.print([line(`${messages.labels.note} ${this.wait.text}`)]);
      this.wait.stop = this.later();
    });
  }
}
