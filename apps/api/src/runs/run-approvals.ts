import {
  type ApprovalAnswer,
  ApprovalChannel,
  type ApprovalRequest,
  type SecretScrubber,
} from '@wrongstack/contracts';
import type { ApprovalWatch } from '../approvals/approval-watch.js';
import { CreateApproval, CreateApprovalHandler } from '../approvals/create-approval.command.js';
import { type ApprovalActions, ServerApprovals } from '../approvals/server-approvals.js';
import { UseApproval, UseApprovalHandler } from '../approvals/use-approval.command.js';
import { WithdrawApproval, WithdrawApprovalHandler } from '../approvals/withdraw-approval.command.js';
import type { Principal } from '../auth/principal.js';
import type { ControlPlane } from '../control/control-plane.js';
import { whileAway } from './while-away.js';

/** The commands of approvals for a process that has no bus. */
export function approvalActions(control: ControlPlane, watch: ApprovalWatch): ApprovalActions {
  const [create, use, withdraw] = [
    new CreateApprovalHandler(control, watch),
    new UseApprovalHandler(control, watch),
    new WithdrawApprovalHandler(control, watch),
  ];
  return {
    create: (by, body) => create.execute(new CreateApproval(by, body)),
    use: (by, id, body) => use.execute(new UseApproval(by, id, body)),
    withdraw: (by, id) => withdraw.execute(new WithdrawApproval(by, id)),
  };
}

/** Nobody sits there: a call that needs a yes parks. What is not answered is found again by the next attempt, and what is, is used once. */
export class RunApprovals extends ApprovalChannel {
  readonly #others: ServerApprovals;

  constructor(control: ControlPlane, watch: ApprovalWatch, scrubber: SecretScrubber, by: Principal) {
    super();
    this.#others = new ServerApprovals(
      {
        control,
        watch,
        actions: approvalActions(control, watch),
        scrub: (text) => scrubber.scrub(text),
        onProgress: () => undefined,
      },
      by,
      false,
    );
  }

  override ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    return whileAway(() => this.#others.ask(request, signal), signal);
  }
}
