import type { Clock } from '@wrongstack/contracts';
import type { Scheduler } from '../scheduler.js';

/** A clock and a scheduler that only move when a spec says so. */
export class ManualTime implements Clock {
  private time: number;
  private jobs: { at: number; run: () => void }[] = [];

  constructor(start = 1_000_000) {
    this.time = start;
  }

  now(): number {
    return this.time;
  }

  readonly scheduler: Scheduler = (delayMs, run) => {
    const job = { at: this.time + delayMs, run };
    this.jobs.push(job);
    return () => {
      this.jobs = this.jobs.filter((one) => one !== job);
    };
  };

  advance(milliseconds: number): void {
    const end = this.time + milliseconds;
    for (;;) {
      const next = this.jobs.filter((job) => job.at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.jobs = this.jobs.filter((job) => job !== next);
      this.time = Math.max(this.time, next.at);
      next.run();
    }
    this.time = end;
  }
}
