import { Controller, Headers, Res } from '@nestjs/common';
import { formatFor, writePage } from '@wrongstack/adapters/metrics';
import { ApiHost } from '../host/api-host.js';
import type { Reply } from '../http/reply.js';
import { Route } from '../http/route.handler.js';

@Controller()
export class MetricsController {
  constructor(private readonly host: ApiHost) {}

  /** In pieces, so that a large page holds no other request up. */
  @Route('GET', 'metrics', {
    summary: 'The metrics of this process and the totals of the fleet, for Prometheus',
    ability: ['read', 'Metrics'],
    answers: {
      200: {
        description: 'The text format, or OpenMetrics.',
        mediaType: 'text/plain',
        schema: { type: 'string' },
      },
    },
  })
  async metrics(@Headers('accept') accept: string | undefined, @Res() reply: Reply): Promise<void> {
    reply.hijack();
    await writePage(this.host.metrics, formatFor(accept), reply.raw);
  }
}
