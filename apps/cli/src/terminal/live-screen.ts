import type { Clock, Disposer } from '@wrongstack/contracts';
import type { TerminalCaps } from './caps.js';
import { clipLine, lineWidth, type Line } from './lines.js';
import { eraseAfterResize, NO_REGION, paintRegion, type PaintedRegion } from './paint-region.js';
import type { Scheduler } from './scheduler.js';
import type { Region, Screen, TextOutput } from './screen.js';
import type { Theme } from './theme.js';

const FRAME_MS = 100;

export interface LiveScreenOptions {
  readonly output: TextOutput;
  readonly caps: TerminalCaps;
  readonly theme: Theme;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}

/** Transcript above, region below; at most ten paints a second, each a single write. */
export class LiveScreen implements Screen {
  private caps: TerminalCaps;
  private painted: PaintedRegion = NO_REGION;
  private wanted: Region = { lines: [], cursor: null };
  private transcript: string[] = [];
  private lastPaint = Number.NEGATIVE_INFINITY;
  private due: Disposer | null = null;
  private closed = false;

  constructor(private readonly options: LiveScreenOptions) {
    this.caps = options.caps;
  }

  print(lines: readonly Line[]): void {
    this.transcript.push(...lines.map((row) => this.options.theme.paint(row)));
    this.request();
  }

  setRegion(region: Region): void {
    this.wanted = region;
    this.request();
  }

  waiting(): void {
    // The region shows what is being waited for.
  }

  prompt(): void {
    // The region has the prompt.
  }

  resize(caps: TerminalCaps): void {
    if (this.closed) return;
    if (caps.columns !== this.caps.columns || caps.rows !== this.caps.rows) {
      this.options.output.write(eraseAfterResize(this.painted, caps.columns));
      this.painted = { ...NO_REGION, cursorShown: this.painted.cursorShown };
    }
    this.caps = caps;
    this.request();
  }

  flush(): void {
    this.due?.();
    this.due = null;
    if (this.closed) return;
    const next = this.layOut();
    const bytes = paintRegion(this.painted, next, this.transcript);
    this.transcript = [];
    this.painted = next;
    this.lastPaint = this.options.clock.now();
    if (bytes !== '') this.options.output.write(bytes);
  }

  close(): void {
    if (this.closed) return;
    this.wanted = { lines: [], cursor: { row: 0, column: 0 } };
    this.flush();
    this.closed = true;
  }

  private request(): void {
    if (this.closed || this.due !== null) return;
    // Never at once: what one step prints and how it leaves the region belong into the same paint.
    const wait = Math.max(0, this.lastPaint + FRAME_MS - this.options.clock.now());
    this.due = this.options.scheduler(wait, () => this.flush());
  }

  private layOut(): PaintedRegion {
    const { theme } = this.options;
    // One row stays free for the transcript, or moving up would run into rows that have scrolled away.
    const room = Math.max(1, this.caps.rows - 1);
    const hidden = Math.max(0, this.wanted.lines.length - room);
    const shown = this.wanted.lines
      .slice(hidden)
      .map((row) => clipLine(row, Math.max(1, this.caps.columns - 1), theme.marks.ellipsis));
    const cursor = this.wanted.cursor;
    const row = Math.min(
      Math.max(0, (cursor?.row ?? shown.length - 1) - hidden),
      Math.max(0, shown.length - 1),
    );
    return {
      rows: shown.map((one) => theme.paint(one)),
      widths: shown.map(lineWidth),
      cursor: { row, column: cursor?.column ?? 0 },
      cursorShown: cursor !== null,
    };
  }
}
