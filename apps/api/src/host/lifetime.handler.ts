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
    private readonly graceMs: number,
  ) {}

  onApplicationBootstrap(): void {
    this.control.start();
  }

  /** Those who wait for news are told that there is none, so that no long poll holds the end up. */
  beforeApplicationShutdown(): void {
    this.control.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.host.close(this.graceMs);
    await this.control.close();
  }
}
