import { Controller, Inject, Query, Res } from '@nestjs/common';
import { type ChainReport, chainReportSchema } from '@wrongstack/contracts/wire';
import { ControlPlane } from '../control/control-plane.js';
import { closedSignal, sendEvents, type StreamEvent } from '../http/event-stream.js';
import type { Reply } from '../http/reply.js';
import { Route } from '../http/route.handler.js';
import { sendText } from '../http/text-stream.js';
import { AUDIT_QUERY, type AuditQuery, filterOf } from './audit-query.js';
import { exportLines } from './export-lines.js';
import { verifyChain } from './verify-chain.js';

const TYPES = { jsonl: 'application/x-ndjson', csv: 'text/csv; charset=utf-8' } as const;

/** The chain as a whole: proven, and taken along. */
@Controller('v1/audit')
export class AuditChainController {
  constructor(@Inject(ControlPlane) private readonly control: ControlPlane) {}

  @Route('GET', 'verify', {
    summary: 'Does the chain hold, from its first record to its last?',
    ability: ['read', 'Audit'],
    answers: {
      200: {
        description: 'The report; `brokenAt` names the first record that does not fit.',
        schema: chainReportSchema,
      },
    },
  })
  async verify(@Res({ passthrough: true }) reply: Reply): Promise<ChainReport> {
    const steps = verifyChain(this.control.store.audit, closedSignal(reply));
    for (;;) {
      const step = await steps.next();
      if (step.done === true) return step.value;
    }
  }

  @Route('GET', 'verify/events', {
    summary: 'The same, with progress',
    ability: ['read', 'Audit'],
    answers: {
      200: {
        description: 'Events `progress` with checked and of, then one `report`.',
        mediaType: 'text/event-stream',
        schema: { type: 'string' },
      },
    },
  })
  async verifying(@Res() reply: Reply): Promise<void> {
    const closed = closedSignal(reply);
    return sendEvents(reply, this.#progress(closed), closed);
  }

  @Route('GET', 'export', {
    summary: 'All records of a search, in chain order',
    ability: ['export', 'Audit'],
    query: { ...AUDIT_QUERY, format: { enum: ['jsonl', 'csv'], default: 'jsonl' } },
    answers: {
      200: {
        description: 'JSON lines as of GET audit/records, or a table without the entries.',
        mediaType: 'application/x-ndjson',
        schema: { type: 'string' },
      },
    },
  })
  async export(
    @Query() { format, ...query }: AuditQuery & { readonly format: 'jsonl' | 'csv' },
    @Res() reply: Reply,
  ): Promise<void> {
    const closed = closedSignal(reply);
    const headers = {
      'content-type': TYPES[format],
      'content-disposition': `attachment; filename="audit.${format}"`,
      'x-content-type-options': 'nosniff',
    };
    const { audit } = this.control.store;
    await sendText(reply, headers, exportLines(audit, filterOf(query), format, closed), closed);
  }

  async *#progress(closed: AbortSignal): AsyncGenerator<StreamEvent> {
    const steps = verifyChain(this.control.store.audit, closed);
    for (;;) {
      const step = await steps.next();
      if (step.done === true) {
        yield { name: 'report', id: null, data: step.value };
        return;
      }
      yield { name: 'progress', id: null, data: step.value };
    }
  }
}
