import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow, type RunId } from '@wrongstack/contracts';
import type { ServerRun } from '@wrongstack/contracts/control';
import { ApprovalWatch } from '../approvals/approval-watch.js';
import type { Principal } from '../auth/principal.js';
import { ControlPlane } from '../control/control-plane.js';
import { approvalActions } from './run-approvals.js';
import { RunLedger } from './run-ledger.js';
import { bookOf, specOf } from './run-record.js';
import { cancel } from './run-transitions.js';
import { unknownRun } from './run-view.js';

/** Asks for the end of a run. What it has done stays; one that has ended is left as it is. */
export class CancelRun extends Command<ServerRun> {
  constructor(
    readonly by: Principal,
    readonly id: RunId,
  ) {
    super();
  }
}

@CommandHandler(CancelRun)
export class CancelRunHandler implements ICommandHandler<CancelRun> {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(ApprovalWatch) private readonly approvals: ApprovalWatch,
  ) {}

  async execute({ by, id }: CancelRun): Promise<ServerRun> {
    const ledger = new RunLedger(this.control);
    const before = await ledger.get(id);
    if (before === null) throw unknownRun();
    const stepped = await ledger.step(id, cancel(by, isoNow(this.control.clock)));
    if (stepped === null) return (await ledger.get(id)) ?? before;
    // Nobody shall answer for a run that is over.
    const actions = approvalActions(this.control, this.approvals);
    if (stepped.run.state === 'cancelled') {
      for (const approval of bookOf(before).waitsFor)
        await actions.withdraw(specOf(before).by, approval).catch(() => undefined);
    }
    return stepped.run;
  }
}
