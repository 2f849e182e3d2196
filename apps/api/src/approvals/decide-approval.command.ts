import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow } from '@wrongstack/contracts';
import type { AnswerOutcome, ApprovalRequest } from '@wrongstack/contracts/control';
import type { DecideApproval as DecideBody } from '@wrongstack/contracts/wire';
import { requireAbility } from '../auth/caller.js';
import type { Principal } from '../auth/principal.js';
import { recordAction } from '../control/action-trail.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { unknownApproval } from './approval-views.js';
import { ApprovalWatch } from './approval-watch.js';
import { ownRequest, whyNotAsked } from './may-decide.js';

/** One person's yes or no. */
export class DecideApproval extends Command<ApprovalRequest> {
  constructor(
    readonly by: Principal,
    readonly id: string,
    readonly body: DecideBody,
  ) {
    super();
  }
}

@CommandHandler(DecideApproval)
export class DecideApprovalHandler implements ICommandHandler<DecideApproval> {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(ApprovalWatch) private readonly watch: ApprovalWatch,
  ) {}

  async execute({ by, id, body: { decision, reason } }: DecideApproval): Promise<ApprovalRequest> {
    const { store, clock } = this.control;
    const at = isoNow(clock);
    const request = await store.transaction(async (tx) => {
      const asked = await tx.approvals.get(id, at);
      if (asked === null) throw unknownApproval();
      requireAbility(by, 'decide', 'Approval', { owner: asked.requester }, unknownApproval());
      const notAsked = whyNotAsked(by, asked);
      if (notAsked !== null) throw notAsked;
      const outcome = await tx.approvals.answer(id, {
        by: by.user,
        answer: decision,
        note: reason ?? null,
        at,
      });
      if (!outcome.ok) throw refusal(outcome);
      const { state } = outcome.request;
      await recordAction(tx, by, 'approval.decided', { approval: id, decision, state: state.is }, at);
      return outcome.request;
    });
    this.watch.changed(request.state.is === 'pending' ? [] : [request]);
    return request;
  }
}

export function refusal(outcome: Extract<AnswerOutcome, { readonly ok: false }>): ApiProblem {
  switch (outcome.reason) {
    case 'unknown':
      return unknownApproval();
    case 'own-request':
      return ownRequest();
    case 'already-answered':
      return new ApiProblem(409, 'approval.closed', 'you have answered this request already');
    case 'expired':
    case 'not-pending':
      return new ApiProblem(
        409,
        'approval.closed',
        `the request is ${outcome.request.state.is}: nothing can be said to it any more`,
      );
  }
}
