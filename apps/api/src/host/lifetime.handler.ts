import type { OnApplicationShutdown } from '@nestjs/common';
import type { ApiHost } from './api-host.js';

/** When the server has answered its last request, tasks of this process get their grace. */
export class HostLifetime implements OnApplicationShutdown {
  constructor(
    private readonly host: ApiHost,
    private readonly graceMs: number,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.host.close(this.graceMs);
  }
}
