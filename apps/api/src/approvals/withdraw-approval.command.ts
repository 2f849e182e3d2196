import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow } from '@wrongstack/contracts';
import type { ApprovalRequest } from '@wrongstack/contracts/control';
import { requireAbility } from '../auth/caller.js';
import type { Principal } from '../auth/principal.js';
import { recordAction } from '../control/action-trail.js';
import { ControlPlane } from '../control/control-plane.js';
import { unknownApproval } from './approval-views.js';
import { ApprovalWatch } from './approval-watch.js';
import { refusal } from './decide-approval.command.js';

/** The requester does not want it any more. */
export class WithdrawApproval extends Command<ApprovalRequest> {
  constructor(
    readonly by: Principal,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(WithdrawApproval)
export class WithdrawApprovalHandler implements ICommandHandler<WithdrawApproval> {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(ApprovalWatch) private readonly watch: ApprovalWatch,
  ) {}

  async execute({ by, id }: WithdrawApproval): Promise<ApprovalRequest> {
    const { store, clock } = this.control;
    const at = isoNow(clock);
    const request = await store.transaction(async (tx) => {
      const asked = await tx.approvals.get(id, at);
      if (asked === null) throw unknownApproval();
      requireAbility(by, 'delete', 'Approval', { owner: asked.requester }, unknownApproval());
      if (asked.state.is !== 'pending') throw refusal({ ok: false, reason: 'not-pending', request: asked });
      const outcome = await tx.approvals.withdraw(id, by.user, at);
      if (!outcome.ok) throw refusal(outcome);
      await recordAction(tx, by, 'approval.withdrawn', { approval: id }, at);
      return outcome.request;
    });
    this.watch.changed([request]);
    return request;
  }
}
