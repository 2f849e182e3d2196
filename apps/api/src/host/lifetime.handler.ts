import type {
  BeforeApplicationShutdown,
  OnApplicationBootstrap,
  OnApplicationShutdown,
} from '@nestjs/common';
import type { ApiHost } from './api-host.js';

/** When the server has answered its last request, tasks of this process get their grace. */
export class HostLifetime
  implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  constructor(
    private readonly host: ApiHost,
    private readonly control: { start(): void; stop(): void; close(): Promise<void> },
    private readonly runs: { start(): void; stop(): void; close(graceMs: number): Promise<void> },
    private readonly graceMs: number,
  ) {}

  onApplicationBootstrap(): void {
    this.control.start();
    this.runs.start();
  }

  /** Those who wait for news are told that there is none, so that no long poll holds the end up. */
  beforeApplicationShutdown(): void {
    this.control.stop();
    this.runs.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    // They share one grace.
    await Promise.all([this.runs.close(this.graceMs), this.host.tasks.close(this.graceMs)]);
    await this.host.close(0);
    await this.control.close();
  }
}
