import { Controller } from '@nestjs/common';
import { ApiProblem } from '../errors/api-problem.js';
import { ApiHost } from '../host/api-host.js';
import { Route } from '../http/route.handler.js';

@Controller()
export class ReadyController {
  constructor(private readonly host: ApiHost) {}

  /** Ready means that what this process depends on answers too. */
  @Route('GET', 'readyz', {
    summary: 'Whether this process can serve',
    ability: 'public',
    answers: {
      200: {
        description: 'It can.',
        schema: { type: 'object', required: ['status'], properties: { status: { const: 'ready' } } },
        example: { status: 'ready' },
      },
    },
    problems: { 503: 'It cannot: `problems` names what is not ready.' },
  })
  async ready(): Promise<{ status: 'ready' }> {
    const failing = await this.host.readiness.failing();
    if (failing.length === 0) return { status: 'ready' };
    throw new ApiProblem(
      503,
      'api.not_ready',
      `not ready: ${failing.join(', ')}`,
      failing.map((path) => ({ path, message: 'is not ready; the log says why' })),
      { 'retry-after': '5' },
    );
  }
}
