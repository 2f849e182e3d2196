import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow } from '@wrongstack/contracts';
import { type DeviceEnrolment } from '@wrongstack/contracts/control';
import type { Principal } from '../auth/principal.js';
import { recordAction } from '../control/action-trail.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { agentTeams } from './agents.js';

/** A person says whether the device that shows this code is theirs. */
export class DecideEnrolment extends Command<DeviceEnrolment> {
  constructor(
    readonly by: Principal,
    readonly userCode: string,
    readonly approve: boolean,
    readonly team: string | undefined,
  ) {
    super();
  }
}

@CommandHandler(DecideEnrolment)
export class DecideEnrolmentHandler implements ICommandHandler<DecideEnrolment> {
  constructor(@Inject(ControlPlane) private readonly control: ControlPlane) {}

  async execute({ by, userCode, approve, team }: DecideEnrolment): Promise<DeviceEnrolment> {
    const { store, clock } = this.control;
    const at = isoNow(clock);
    const teams = agentTeams(by.teams, team);
    if (teams === null) throw new ApiProblem(422, 'enrolment.team', `${team ?? ''} is none of your teams`);
    return store.transaction(async (tx) => {
      const is = approve ? 'approved' : 'denied';
      const outcome = await tx.agents.decideEnrolment(userCode, { is, by: by.user, at, teams });
      if (!outcome.ok) throw refusalOf(outcome.reason);
      await recordAction(tx, by, `enrolment.${is}`, { device: outcome.enrolment.device.name, teams }, at);
      return outcome.enrolment;
    });
  }
}

function refusalOf(reason: 'unknown' | 'expired' | 'already-decided'): ApiProblem {
  switch (reason) {
    case 'unknown':
      return new ApiProblem(404, 'enrolment.unknown', 'no device waits with this code');
    case 'expired':
      return new ApiProblem(410, 'enrolment.expired', 'this code has expired: begin again on the device');
    case 'already-decided':
      return new ApiProblem(409, 'enrolment.decided', 'this code was decided already');
  }
}
