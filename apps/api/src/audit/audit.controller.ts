import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { AuditGroup, ChainedRecord, Page } from '@wrongstack/contracts/control';
import {
  type AuditBatch,
  auditBatchSchema,
  auditRecordPageSchema,
  type AuditRecordView,
  auditRecordViewSchema,
  type BatchReceipt,
  batchReceiptSchema,
  parts,
} from '@wrongstack/contracts/wire';
import type { ExplainView } from '@wrongstack/policy';
import type { Principal } from '../auth/principal.js';
import { ControlPlane } from '../control/control-plane.js';
import { EXPLANATION } from '../decisions/decision-schemas.js';
import { ApiProblem } from '../errors/api-problem.js';
import { PAGE_QUERY, type PageQuery, pageSchema } from '../http/page.js';
import { Caller, Route } from '../http/route.handler.js';
import { AUDIT_QUERY, type AuditQuery, filterOf, recordView } from './audit-query.js';
import { AUDIT_ROW, auditRow, type AuditRow } from './audit-row.js';
import { explainRecorded } from './explain-recorded.js';
import { IngestBatch } from './ingest-batch.command.js';

const FACETS = ['kind', 'verdict', 'tool', 'actor', 'team', 'rule'] as const satisfies readonly AuditGroup[];
const MOST_FACETS = 20;
const SEQ = { seq: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } };
const FACETS_ANSWER = parts.open(
  Object.fromEntries(
    FACETS.map((facet) => [
      facet,
      parts.list(parts.open({ value: parts.orNull({ type: 'string' }), count: parts.whole(0) }), MOST_FACETS),
    ]),
  ),
);

/** What happened, as one chain. */
@Controller('v1/audit')
export class AuditController {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(CommandBus) private readonly commands: CommandBus,
  ) {}

  @Route('POST', 'batches', {
    summary: 'Ship decisions; again is no harm',
    ability: ['create', 'Audit'],
    body: auditBatchSchema,
    idempotency: 'own',
    answers: { 200: { description: 'All of it is committed.', schema: batchReceiptSchema } },
    problems: { 422: 'audit.gap, audit.bad_hash or audit.bad_entry names the record; nothing was taken in.' },
  })
  ship(@Caller() caller: Principal, @Body() batch: AuditBatch): Promise<BatchReceipt> {
    return this.commands.execute(new IngestBatch(caller, batch));
  }

  @Route('GET', 'records', {
    summary: 'Search',
    ability: ['read', 'Audit'],
    query: { ...PAGE_QUERY, ...AUDIT_QUERY },
    answers: { 200: { description: 'Newest first.', schema: auditRecordPageSchema } },
  })
  async search(@Query() query: PageQuery & AuditQuery): Promise<Page<AuditRecordView>> {
    const { items, next } = await this.control.store.audit.search(filterOf(query), query);
    return { items: items.map(recordView), next };
  }

  @Route('GET', 'rows', {
    summary: 'The same search as a long list: a line each',
    ability: ['read', 'Audit'],
    query: { ...PAGE_QUERY, ...AUDIT_QUERY },
    answers: { 200: { description: 'Newest first.', schema: pageSchema(AUDIT_ROW) } },
  })
  async rows(@Query() query: PageQuery & AuditQuery): Promise<Page<AuditRow>> {
    const { items, next } = await this.control.store.audit.search(filterOf(query), query);
    return { items: items.map(auditRow), next };
  }

  @Route('GET', 'facets', {
    summary: 'How the records of a search spread over kinds, verdicts, tools, people, teams and rules',
    ability: ['read', 'Audit'],
    query: AUDIT_QUERY,
    answers: {
      200: {
        description: 'For each, the most frequent values.',
        schema: FACETS_ANSWER,
      },
    },
  })
  async facets(@Query() query: AuditQuery): Promise<Record<string, readonly unknown[]>> {
    const filter = filterOf(query);
    const answer: Record<string, readonly unknown[]> = {};
    for (const facet of FACETS) {
      const counts = await this.control.store.audit.counts(filter, [facet], MOST_FACETS);
      answer[facet] = counts.map(({ by, count }) => ({ value: by[facet] ?? null, count }));
    }
    return answer;
  }

  @Route('GET', 'records/:seq', {
    summary: 'One record',
    ability: ['read', 'Audit'],
    params: SEQ,
    answers: { 200: { description: 'The record.', schema: auditRecordViewSchema } },
    problems: { 404: 'No such record.' },
  })
  async record(@Param('seq') seq: string): Promise<AuditRecordView> {
    return recordView(await this.#record(seq));
  }

  @Route('GET', 'records/:seq/explanation', {
    summary: 'Why the call of this record was decided as it was',
    ability: ['read', 'Audit'],
    params: SEQ,
    answers: { 200: { description: 'Every floor and rule that mattered.', schema: EXPLANATION } },
    problems: {
      404: 'No such record.',
      422: 'audit.not_explainable: it holds no decision, or not all that explains one.',
    },
  })
  async explanation(@Param('seq') seq: string): Promise<ExplainView> {
    const { entry } = await this.#record(seq);
    if (entry.decision === undefined)
      throw new ApiProblem(
        422,
        'audit.not_explainable',
        `record ${seq} is about no decision: look at its entry`,
      );
    return explainRecorded(seq, entry.decision);
  }

  async #record(seq: string): Promise<ChainedRecord> {
    const record = await this.control.store.audit.get(Number(seq));
    if (record === null) throw new ApiProblem(404, 'audit.unknown', `there is no record ${seq}`);
    return record;
  }
}
