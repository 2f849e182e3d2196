import { Body, Controller, Headers, Inject, Param, Query, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { isoNow } from '@wrongstack/contracts';
import type { ApprovalRequest, Page } from '@wrongstack/contracts/control';
import {
  type CreateApproval as CreateBody,
  createApprovalSchema,
  type DecideApproval as DecideBody,
  decideApprovalSchema,
  MAX_WAIT_SECONDS,
  type UseApproval as UseBody,
  useApprovalSchema,
} from '@wrongstack/contracts/wire';
import { requireAbility } from '../auth/caller.js';
import { callersOwn } from '../auth/callers-own.js';
import type { Principal } from '../auth/principal.js';
import { ControlPlane } from '../control/control-plane.js';
import { closedSignal } from '../http/event-stream.js';
import { PAGE_QUERY, type PageQuery, pageSchema } from '../http/page.js';
import type { Reply } from '../http/reply.js';
import { Caller, Route } from '../http/route.handler.js';
import {
  approvalTag,
  approvalView,
  PeoplesNames,
  SHOWN_APPROVAL,
  type ShownApproval,
  unknownApproval,
} from './approval-views.js';
import { ApprovalWatch } from './approval-watch.js';
import { CREATE_EXAMPLE } from './approval-examples.js';
import { CreateApproval } from './create-approval.command.js';
import { DecideApproval } from './decide-approval.command.js';
import { UseApproval } from './use-approval.command.js';
import { WithdrawApproval } from './withdraw-approval.command.js';

const STATES = ['pending', 'approved', 'rejected', 'expired', 'withdrawn', 'used'] as const;
const VIEW = { description: 'The request as it is now.', schema: SHOWN_APPROVAL };
const UNKNOWN = { 404: 'No such request that you may see.' };

interface ListQuery extends PageQuery {
  readonly state?: (typeof STATES)[number];
  readonly mine?: boolean;
}

/** Calls that wait for people. */
@Controller('v1/approvals')
export class ApprovalsController {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(ApprovalWatch) private readonly watch: ApprovalWatch,
  ) {}

  @Route('POST', '', {
    summary: 'Ask people for a yes',
    ability: ['create', 'Approval'],
    body: createApprovalSchema,
    bodyExample: CREATE_EXAMPLE,
    idempotency: 'own',
    answers: { 201: VIEW },
    problems: { 409: 'approval.id_taken: another request has this id.' },
  })
  create(@Caller() caller: Principal, @Body() body: CreateBody): Promise<ShownApproval> {
    return this.#run(new CreateApproval(caller, body));
  }

  @Route('GET', '', {
    summary: 'Requests: yours, or all for those who answer or audit',
    ability: ['read', 'Approval'],
    query: { ...PAGE_QUERY, state: { enum: STATES }, mine: { type: 'boolean' } },
    answers: { 200: { description: 'Newest first.', schema: pageSchema(SHOWN_APPROVAL) } },
  })
  async list(@Caller() caller: Principal, @Query() query: ListQuery): Promise<Page<ShownApproval>> {
    const { store, clock } = this.control;
    const requester = query.mine === true ? caller.user : callersOwn(caller, 'read', 'Approval');
    const { items, next } = await store.approvals.list(
      {
        ...(query.state === undefined ? {} : { state: query.state }),
        ...(requester === null ? {} : { requester }),
      },
      query,
      isoNow(clock),
    );
    const names = new PeoplesNames(store);
    return { items: await Promise.all(items.map((item) => approvalView(item, names, caller))), next };
  }

  /** With `If-None-Match` and `wait`, answers as soon as it is another one; with `wait` alone, as soon as it is decided. */
  @Route('GET', ':id', {
    summary: 'One request, at once or when it changes',
    ability: ['read', 'Approval'],
    query: { wait: { type: 'integer', minimum: 0, maximum: MAX_WAIT_SECONDS, description: 'Seconds.' } },
    answers: { 200: VIEW, 304: { description: 'It is as you have it.' } },
    problems: UNKNOWN,
  })
  async show(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Query() { wait = 0 }: { readonly wait?: number },
    @Headers('if-none-match') tag: string | undefined,
    @Res() reply: Reply,
  ): Promise<void> {
    const { store, clock } = this.control;
    const closed = closedSignal(reply);
    const until = Date.now() + wait * 1000;
    let seen = tag;
    for (;;) {
      const request = await store.approvals.get(id, isoNow(clock));
      if (request === null) throw unknownApproval();
      requireAbility(caller, 'read', 'Approval', { owner: request.requester }, unknownApproval());
      const current = approvalTag(request);
      if (seen === undefined && request.state.is === 'pending') seen = current;
      const left = until - Date.now();
      if (current === seen && left > 0 && !closed.aborted && !this.watch.stopped) {
        await this.watch.next(Math.min(left, Date.parse(request.expiresAt) - clock.now()), closed);
        continue;
      }
      reply.header('etag', current).header('cache-control', 'no-cache');
      if (current === tag) reply.status(304).send('');
      else reply.status(200).send(await approvalView(request, new PeoplesNames(store), caller));
      return;
    }
  }

  @Route('POST', ':id/decisions', {
    summary: 'Say yes or no, once a person',
    ability: ['decide', 'Approval'],
    body: decideApprovalSchema,
    bodyExample: { decision: 'approve', reason: 'agreed in the change meeting' },
    answers: { 200: VIEW },
    problems: {
      ...UNKNOWN,
      403: 'approval.own_request, or approval.not_asked.',
      409: 'approval.closed: it is decided, or you have answered.',
    },
  })
  decide(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: DecideBody,
  ): Promise<ShownApproval> {
    return this.#run(new DecideApproval(caller, id, body));
  }

  @Route('POST', ':id/use', {
    summary: 'Take the yes up, once, for this very call',
    ability: ['use', 'Approval'],
    body: useApprovalSchema,
    bodyExample: { digest: CREATE_EXAMPLE.digest, use: 'use-1f0c' },
    idempotency: 'own',
    answers: { 200: VIEW },
    problems: {
      ...UNKNOWN,
      409: 'approval.digest, approval.not_approved, approval.expired or approval.used.',
    },
  })
  use(@Caller() caller: Principal, @Param('id') id: string, @Body() body: UseBody): Promise<ShownApproval> {
    return this.#run(new UseApproval(caller, id, body));
  }

  @Route('DELETE', ':id', {
    summary: 'Withdraw what you have asked for',
    ability: ['delete', 'Approval'],
    answers: { 200: VIEW },
    problems: { ...UNKNOWN, 409: 'approval.closed: it is decided.' },
  })
  withdraw(@Caller() caller: Principal, @Param('id') id: string): Promise<ShownApproval> {
    return this.#run(new WithdrawApproval(caller, id));
  }

  async #run(
    command: CreateApproval | DecideApproval | UseApproval | WithdrawApproval,
  ): Promise<ShownApproval> {
    const request = await this.commands.execute<ApprovalRequest>(command);
    return approvalView(request, new PeoplesNames(this.control.store), command.by);
  }
}
