import type { ApprovalRequest } from '@wrongstack/contracts/control';
import { CreateApproval } from './create-approval.command.js';
import type { ApprovalActions } from './server-approvals.js';
import { UseApproval } from './use-approval.command.js';
import { WithdrawApproval } from './withdraw-approval.command.js';

type ApprovalCommand = CreateApproval | UseApproval | WithdrawApproval;

/** Each as its command; `run` hands it to the bus. */
export function approvalsByCommand(
  run: (command: ApprovalCommand) => Promise<ApprovalRequest>,
): ApprovalActions {
  return {
    create: (by, body) => run(new CreateApproval(by, body)),
    use: (by, id, body) => run(new UseApproval(by, id, body)),
    withdraw: (by, id) => run(new WithdrawApproval(by, id)),
  };
}
