import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow } from '@wrongstack/contracts';
import { type AgentIdentity, type EnrolAgent as EnrolAgentBody } from '@wrongstack/contracts/wire';
import type { Principal } from '../auth/principal.js';
import { recordAction } from '../control/action-trail.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { agentTeams, issueAccess, newAgent, refreshSecret } from './agents.js';

/** At once, by somebody's token. */
export class EnrolAgent extends Command<AgentIdentity> {
  constructor(
    readonly by: Principal,
    readonly body: EnrolAgentBody,
  ) {
    super();
  }
}

@CommandHandler(EnrolAgent)
export class EnrolAgentHandler implements ICommandHandler<EnrolAgent> {
  constructor(@Inject(ControlPlane) private readonly control: ControlPlane) {}

  async execute({ by, body }: EnrolAgent): Promise<AgentIdentity> {
    const { store, clock } = this.control;
    const at = isoNow(clock);
    const teams = agentTeams(by.teams, body.team);
    if (teams === null)
      throw new ApiProblem(422, 'enrolment.team', `${body.team ?? ''} is none of your teams`);
    const agent = newAgent(by.user, teams, body.client, at);
    return store.transaction(async (tx) => {
      await tx.agents.add(agent, refreshSecret(body.refreshHash, clock.now()));
      await recordAction(tx, by, 'agent.enrolled', { agent: agent.id, owner: agent.owner, teams }, at);
      return issueAccess(tx, this.control, agent);
    });
  }
}
