import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { ExceptionRequest, Page } from '@wrongstack/contracts/control';
import {
  type CreateExceptionRequest as CreateBody,
  createExceptionRequestSchema,
  type ExceptionRequestView,
  exceptionRequestViewSchema,
} from '@wrongstack/contracts/wire';
import { PeoplesNames } from '../approvals/approval-views.js';
import { callersOwn } from '../auth/callers-own.js';
import type { Principal } from '../auth/principal.js';
import { ControlPlane } from '../control/control-plane.js';
import { PAGE_QUERY, type PageQuery, pageSchema } from '../http/page.js';
import type { Schema } from '../http/route-contract.js';
import { Caller, Route } from '../http/route.handler.js';
import { CreateExceptionRequest } from './create-exception-request.command.js';
import { DecideExceptionRequest } from './decide-exception-request.command.js';
import { exceptionView } from './exception-views.js';

const VIEW = { description: 'The request as it is now.', schema: exceptionRequestViewSchema };
const DECIDE: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['decision'],
  properties: {
    decision: { enum: ['grant', 'refuse'] },
    until: { type: 'string', format: 'date-time', description: 'For a grant; missing = as asked for.' },
    note: { type: 'string', minLength: 1, maxLength: 2000 },
  },
};

interface ListQuery extends PageQuery {
  readonly state?: 'pending' | 'granted' | 'refused';
  readonly document?: string;
}

interface DecideBody {
  readonly decision: 'grant' | 'refuse';
  readonly until?: string;
  readonly note?: string;
}

/** Rules that should not hold for somebody for a while. */
@Controller('v1/exception-requests')
export class ExceptionRequestsController {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(CommandBus) private readonly commands: CommandBus,
  ) {}

  @Route('POST', '', {
    summary: 'Ask that a rule should not hold for you for a while',
    ability: ['create', 'ExceptionRequest'],
    body: createExceptionRequestSchema,
    idempotency: 'replay',
    answers: { 201: VIEW },
  })
  create(@Caller() caller: Principal, @Body() body: CreateBody): Promise<ExceptionRequestView> {
    return this.#run(new CreateExceptionRequest(caller, body));
  }

  @Route('GET', '', {
    summary: 'Requests: yours, or all for those who decide or audit',
    ability: ['read', 'ExceptionRequest'],
    query: {
      ...PAGE_QUERY,
      state: { enum: ['pending', 'granted', 'refused'] },
      document: { type: 'string', minLength: 1, maxLength: 200 },
    },
    answers: { 200: { description: 'Newest first.', schema: pageSchema(exceptionRequestViewSchema) } },
  })
  async list(@Caller() caller: Principal, @Query() query: ListQuery): Promise<Page<ExceptionRequestView>> {
    const { state, document } = query;
    const requester = callersOwn(caller, 'read', 'ExceptionRequest');
    const filter = {
      ...(state === undefined ? {} : { state }),
      ...(document === undefined ? {} : { document }),
      ...(requester === null ? {} : { requester }),
    };
    const { items, next } = await this.control.store.exceptionRequests.list(filter, query);
    const names = new PeoplesNames(this.control.store);
    return { items: await Promise.all(items.map((item) => exceptionView(item, names))), next };
  }

  @Route('POST', ':id/decision', {
    summary: 'Grant it, as an exception in the policy, or refuse it',
    ability: ['decide', 'ExceptionRequest'],
    body: DECIDE,
    bodyExample: { decision: 'grant', until: '2027-01-01T00:00:00Z', note: 'for the migration' },
    answers: { 200: VIEW },
    problems: {
      403: 'exception.own_request.',
      404: 'No such request.',
      409: 'It is decided, the rule is gone, or another revision of the policy is under way.',
      422: 'exception.end, exception.not_nameable, or policy.tests_failed.',
    },
  })
  decide(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() { decision, until, note }: DecideBody,
  ): Promise<ExceptionRequestView> {
    return this.#run(
      new DecideExceptionRequest(caller, id, decision === 'grant', until ?? null, note ?? null),
    );
  }

  async #run(command: CreateExceptionRequest | DecideExceptionRequest): Promise<ExceptionRequestView> {
    const request = await this.commands.execute<ExceptionRequest>(command);
    return exceptionView(request, new PeoplesNames(this.control.store));
  }
}
