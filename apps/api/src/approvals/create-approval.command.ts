import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Facts, isoNow, type JsonValue } from '@wrongstack/contracts';
import type { ApprovalRequest } from '@wrongstack/contracts/control';
import type { CreateApproval as CreateApprovalBody } from '@wrongstack/contracts/wire';
import type { Principal } from '../auth/principal.js';
import { recordAction } from '../control/action-trail.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { unknownApproval } from './approval-views.js';
import { ApprovalWatch } from './approval-watch.js';

/** Asks people. Sent again with the same id, it is the same request. */
export class CreateApproval extends Command<ApprovalRequest> {
  constructor(
    readonly by: Principal,
    readonly body: CreateApprovalBody,
  ) {
    super();
  }
}

const DEFAULT_MINUTES = 24 * 60;

@CommandHandler(CreateApproval)
export class CreateApprovalHandler implements ICommandHandler<CreateApproval> {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(ApprovalWatch) private readonly watch: ApprovalWatch,
  ) {}

  async execute({ by, body }: CreateApproval): Promise<ApprovalRequest> {
    const { store, clock } = this.control;
    const at = isoNow(clock);
    const request = await store.transaction(async (tx) => {
      const added = await tx.approvals.add(recordOf(by, body, clock.now()));
      const found = await tx.approvals.get(body.id, at);
      if (found === null) throw unknownApproval();
      if (!added) {
        // An id says nothing: somebody else's request is neither shown nor taken over.
        if (found.requester === by.user && found.digest === body.digest) return found;
        throw new ApiProblem(
          409,
          'approval.id_taken',
          'this id is taken by another request: choose a new one',
        );
      }
      const { id, tool, rule } = body;
      await recordAction(tx, by, 'approval.requested', { approval: id, tool, rule }, at);
      return found;
    });
    this.watch.changed();
    return request;
  }
}

function recordOf(
  by: Principal,
  body: CreateApprovalBody,
  now: number,
): Omit<ApprovalRequest, 'etag' | 'state' | 'answers'> {
  const { id, kind, digest, decision, session, tool, title, because, approvers, ttlMinutes } = body;
  const { rule, document, revision } = body;
  const [team = null] = by.teams;
  return {
    ...{ id, asks: kind, digest, decision, session, tool, title, because, ttlMinutes, team },
    requester: by.user,
    agent: by.kind === 'agent' ? by.id : null,
    rule: rule === null ? null : { id: rule, document, revision },
    // Shown to people and never decided on, so its shape is the client's own affair.
    facts: body.facts as Facts,
    // JSON, since it arrived as that.
    view: body.view as JsonValue,
    needed: approvers.count,
    from: approvers.from,
    excludeRequester: approvers.excludeRequester,
    createdAt: new Date(now).toISOString(),
    expiresAt: new Date(now + (ttlMinutes ?? DEFAULT_MINUTES) * 60_000).toISOString(),
  };
}
