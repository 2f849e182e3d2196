import { Controller } from '@nestjs/common';
import { Route } from '../http/route.handler.js';

@Controller()
export class HealthController {
  /** Alive means that this process answers; it says nothing about what it depends on. */
  @Route('GET', 'healthz', {
    summary: 'Whether this process answers',
    ability: 'public',
    answers: {
      200: {
        description: 'It does.',
        schema: { type: 'object', required: ['status'], properties: { status: { const: 'ok' } } },
        example: { status: 'ok' },
      },
    },
  })
  alive(): { status: 'ok' } {
    return { status: 'ok' };
  }
}
