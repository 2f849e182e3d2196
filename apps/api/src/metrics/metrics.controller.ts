import { Controller, Headers, Res } from '@nestjs/common';
import { CONTENT_TYPES, formatFor } from '@wrongstack/adapters/metrics';
import { ApiHost } from '../host/api-host.js';
import { closedSignal } from '../http/event-stream.js';
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
    const format = formatFor(accept);
    const closed = closedSignal(reply);
    const { raw } = reply;
    reply.hijack();
    raw.writeHead(200, { 'content-type': CONTENT_TYPES[format], 'cache-control': 'no-store' });
    for await (const piece of this.host.metrics.expose(format)) {
      if (closed.aborted) return;
      if (!raw.write(piece)) {
        await new Promise<void>((resolve) => {
          raw.once('drain', resolve);
          closed.addEventListener('abort', () => resolve(), { once: true });
        });
      }
    }
    raw.end();
  }
}
