import { Body, Controller, Headers } from '@nestjs/common';
import { ApiProblem } from '../errors/api-problem.js';
import { ApiHost } from '../host/api-host.js';
import { Route } from '../http/route.handler.js';
import { addReport, type CounterDelta, deltaReportSchema } from './delta-report.js';

/** Command lines live too short to be scraped: they say what their counters grew by. */
@Controller('v1/metrics')
export class DeltasController {
  constructor(private readonly host: ApiHost) {}

  /** At least once from the client, once here: the same Idempotency-Key is counted the first time alone. */
  @Route('POST', 'deltas', {
    summary: 'What counters of a command line grew by since its last report',
    ability: ['create', 'Metrics'],
    body: deltaReportSchema,
    bodyExample: { counters: [{ name: 'wrongstack_sessions_total', labels: {}, value: 1 }] },
    answers: {
      200: {
        description: 'Counted.',
        schema: {
          type: 'object',
          required: ['taken', 'ignored'],
          properties: { taken: { type: 'integer' }, ignored: { type: 'integer' } },
        },
        example: { taken: 1, ignored: 0 },
      },
    },
    problems: { 428: 'There is no Idempotency-Key.' },
    idempotency: 'replay',
  })
  add(
    @Headers('idempotency-key') key: string | undefined,
    @Body() { counters }: { readonly counters: readonly CounterDelta[] },
  ): { readonly taken: number; readonly ignored: number } {
    if (key === undefined)
      throw new ApiProblem(
        428,
        'metrics.key_required',
        'send an Idempotency-Key, so that nothing is counted twice',
      );
    const taken = addReport(this.host.metrics, counters);
    this.host.metrics.counter('wrongstack_fleet_reports_total');
    return { taken, ignored: counters.length - taken };
  }
}
