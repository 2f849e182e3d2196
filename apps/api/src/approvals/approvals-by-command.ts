import type { CommandBus } from '@nestjs/cqrs';
import type { ApprovalRequest } from '@wrongstack/contracts/control';
import { CreateApproval } from './create-approval.command.js';
import type { ApprovalActions } from './server-approvals.js';
import { UseApproval } from './use-approval.command.js';
import { WithdrawApproval } from './withdraw-approval.command.js';

/** Each as its command, over the bus. */
export function approvalsByCommand(commands: CommandBus): ApprovalActions {
  const run = (command: CreateApproval | UseApproval | WithdrawApproval): Promise<ApprovalRequest> =>
    commands.execute<ApprovalRequest>(command);
  return {
    create: (by, body) => run(new CreateApproval(by, body)),
    use: (by, id, body) => run(new UseApproval(by, id, body)),
    withdraw: (by, id) => run(new WithdrawApproval(by, id)),
  };
}
