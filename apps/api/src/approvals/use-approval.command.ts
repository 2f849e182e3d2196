import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow } from '@wrongstack/contracts';
import type { ApprovalRequest, UseOutcome } from '@wrongstack/contracts/control';
import type { UseApproval as UseBody } from '@wrongstack/contracts/wire';
import { requireAbility } from '../auth/caller.js';
import type { Principal } from '../auth/principal.js';
import { recordAction } from '../control/action-trail.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { unknownApproval } from './approval-views.js';
import { ApprovalWatch } from './approval-watch.js';

/** Takes a yes up, once, for exactly the call that it was given to. */
export class UseApproval extends Command<ApprovalRequest> {
  constructor(
    readonly by: Principal,
    readonly id: string,
    readonly body: UseBody,
  ) {
    super();
  }
}

@CommandHandler(UseApproval)
export class UseApprovalHandler implements ICommandHandler<UseApproval> {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(ApprovalWatch) private readonly watch: ApprovalWatch,
  ) {}

  async execute({ by, id, body: { digest, use } }: UseApproval): Promise<ApprovalRequest> {
    const { store, clock } = this.control;
    const at = isoNow(clock);
    // Who uses it stands with the use: the same words from another agent are another use.
    const user = `${by.id} ${use}`;
    const request = await store.transaction(async (tx) => {
      const asked = await tx.approvals.get(id, at);
      if (asked === null) throw unknownApproval();
      requireAbility(by, 'use', 'Approval', { owner: asked.requester }, unknownApproval());
      const outcome = await tx.approvals.use(id, digest, user, at);
      if (!outcome.ok) return again(outcome, user);
      await recordAction(tx, by, 'approval.used', { approval: id, digest }, at);
      return outcome.request;
    });
    this.watch.changed();
    return request;
  }
}

/** The same use once more, since its answer was lost, is no second one. Everything else is refused. */
function again(outcome: Extract<UseOutcome, { readonly ok: false }>, user: string): ApprovalRequest {
  switch (outcome.reason) {
    case 'unknown':
      throw unknownApproval();
    case 'other-digest':
      throw new ApiProblem(
        409,
        'approval.digest',
        'the yes was given to another call: ask again for this one',
      );
    case 'not-approved':
      throw new ApiProblem(409, 'approval.not_approved', `the request is ${outcome.request.state.is}`);
    case 'expired':
      throw new ApiProblem(409, 'approval.expired', 'the time of this request is over: ask again');
    case 'already-used': {
      const { state } = outcome.request;
      if (state.is === 'used' && state.by === user) return outcome.request;
      throw new ApiProblem(409, 'approval.used', 'this yes was used already, and it was for once: ask again');
    }
  }
}
