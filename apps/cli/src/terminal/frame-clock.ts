import type { Disposer } from '@wrongstack/contracts';
import type { Scheduler } from './scheduler.js';

/** `spinning`: something moves. `counting`: only the age of a task grows, which is told in seconds. */
export type Pace = 'spinning' | 'counting';

const WAIT_MS: Readonly<Record<Pace, number>> = { spinning: 125, counting: 1_000 };

/** Asks for the next frame while anything on the screen changes by itself. */
export class FrameClock {
  private pending: { readonly pace: Pace; readonly stop: Disposer } | null = null;

  constructor(
    private readonly scheduler: Scheduler,
    private readonly onFrame: () => void,
  ) {}

  /** Called after each paint, and so by each frame. */
  follow(pace: Pace | null): void {
    // A spinner that begins does not wait for the clock of a task; everything else is seen to by the frame that comes.
    if (this.pending !== null && (pace !== 'spinning' || this.pending.pace === 'spinning')) return;
    this.stop();
    if (pace === null) return;
    const stop = this.scheduler(WAIT_MS[pace], () => {
      this.pending = null;
      this.onFrame();
    });
    this.pending = { pace, stop };
  }

  stop(): void {
    this.pending?.stop();
    this.pending = null;
  }
}
