import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow } from '@wrongstack/contracts';
import { type AgentRecord, type DeviceEnrolment } from '@wrongstack/contracts/control';
import { type AgentIdentity } from '@wrongstack/contracts/wire';
import { recordAction } from '../control/action-trail.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { hashSecret } from '../identity/credential.js';
import { issueAccess, newAgent, refreshSecret } from './agents.js';

/** The device that waits asks whether it was let in; then it is an agent, once. The same device may ask again. */
export class ClaimEnrolment extends Command<AgentIdentity> {
  constructor(readonly deviceCode: string) {
    super();
  }
}

@CommandHandler(ClaimEnrolment)
export class ClaimEnrolmentHandler implements ICommandHandler<ClaimEnrolment> {
  constructor(@Inject(ControlPlane) private readonly control: ControlPlane) {}

  async execute({ deviceCode }: ClaimEnrolment): Promise<AgentIdentity> {
    const { store, clock } = this.control;
    const at = isoNow(clock);
    const deviceHash = hashSecret(deviceCode);
    return store.transaction(async (tx) => {
      const enrolment = await tx.agents.enrolmentByDevice(deviceHash);
      if (enrolment === null) throw waiting('expired');
      const { state } = enrolment;
      if (state.is === 'used') {
        const known = await tx.agents.get(state.agent);
        // Its answer was lost: the same agent, another hour.
        if (known === null || known.revoked !== null || enrolment.expiresAt <= at) throw waiting('expired');
        return issueAccess(tx, this.control, known);
      }
      if (state.is !== 'approved') throw waiting(enrolment.expiresAt <= at ? 'expired' : state.is);
      const agent = agentOf(enrolment, state, at);
      const used = await tx.agents.useEnrolment(deviceHash, agent.id, at);
      if (!used.ok)
        throw waiting(used.reason === 'pending' || used.reason === 'denied' ? used.reason : 'expired');
      await tx.agents.add(agent, refreshSecret(enrolment.refreshHash, clock.now()));
      const by = { user: agent.owner, kind: 'user', id: agent.owner, teams: agent.teams } as const;
      await recordAction(tx, by, 'agent.enrolled', { agent: agent.id, owner: agent.owner }, at);
      return issueAccess(tx, this.control, agent);
    });
  }
}

function agentOf(
  { device }: DeviceEnrolment,
  { by, teams }: { readonly by: string; readonly teams: readonly string[] },
  at: string,
): AgentRecord {
  const { name, host, version, platform } = device;
  return newAgent(
    by,
    teams,
    { name, host: host ?? 'unknown', version: version ?? '', platform: platform ?? '' },
    at,
  );
}

function waiting(state: 'pending' | 'denied' | 'expired'): ApiProblem {
  switch (state) {
    case 'pending':
      return new ApiProblem(400, 'enrolment.pending', 'nobody has confirmed the code yet: ask again');
    case 'denied':
      return new ApiProblem(400, 'enrolment.denied', 'somebody said no');
    case 'expired':
      return new ApiProblem(400, 'enrolment.expired', 'the code has expired: begin again');
  }
}
