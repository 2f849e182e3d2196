import { Body, Controller, Headers, Inject } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type MetricsReport, metricsReportSchema } from '@wrongstack/contracts/wire';
import type { Principal } from '../auth/principal.js';
import { ApiProblem } from '../errors/api-problem.js';
import { Caller, Route } from '../http/route.handler.js';
import { TakeReport } from '../usage/take-report.command.js';
import type { AddedReport } from './delta-report.js';

const KEY = /^[\x21-\x7e]{1,200}$/;

/** Command lines live too short to be scraped: they say what their counters and histograms grew by. */
@Controller('v1/metrics')
export class DeltasController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  /** At least once from the client, once here: the same Idempotency-Key is counted the first time alone. */
  @Route('POST', 'deltas', {
    summary: 'What counters and histograms of a command line grew by since its last report',
    ability: ['create', 'Metrics'],
    body: metricsReportSchema,
    bodyExample: {
      day: '2026-12-01',
      counters: [{ name: 'wrongstack_sessions_total', labels: {}, value: 1 }],
      histograms: [],
    },
    answers: {
      200: {
        description: 'Counted: how many series, and how many are not known here.',
        schema: {
          type: 'object',
          required: ['taken', 'ignored'],
          properties: { taken: { type: 'integer' }, ignored: { type: 'integer' } },
        },
        example: { taken: 1, ignored: 0 },
      },
    },
    problems: { 428: 'There is no Idempotency-Key.' },
    // Kept with what it counts for, and longer than those of other routes: a machine may be away for days.
    idempotency: 'own',
  })
  async add(
    @Caller() caller: Principal,
    @Headers('idempotency-key') key: string | undefined,
    @Body() report: MetricsReport,
  ): Promise<AddedReport> {
    if (key === undefined)
      throw new ApiProblem(
        428,
        'metrics.key_required',
        'send an Idempotency-Key, so that nothing is counted twice',
      );
    if (!KEY.test(key))
      throw new ApiProblem(400, 'request.invalid', 'Idempotency-Key must have 1 to 200 printable characters');
    return this.commands.execute(new TakeReport(caller, key, report));
  }
}
