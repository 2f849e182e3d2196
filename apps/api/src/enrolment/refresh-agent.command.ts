import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow } from '@wrongstack/contracts';
import { type AgentIdentity, type RefreshAgent as RefreshAgentBody } from '@wrongstack/contracts/wire';
import { recordAction, THE_SERVER } from '../control/action-trail.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { hashSecret } from '../identity/credential.js';
import { TokenAuthenticator } from '../identity/token-authenticator.js';
import { issueAccess, refreshSecret } from './agents.js';

/** Another hour for the old refresh secret, which is used up by it. */
export class RefreshAgent extends Command<AgentIdentity> {
  constructor(readonly body: RefreshAgentBody) {
    super();
  }
}

@CommandHandler(RefreshAgent)
export class RefreshAgentHandler implements ICommandHandler<RefreshAgent> {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(TokenAuthenticator) private readonly authenticator: TokenAuthenticator,
  ) {}

  async execute({ body }: RefreshAgent): Promise<AgentIdentity> {
    const { store, clock } = this.control;
    const at = isoNow(clock);
    const next = refreshSecret(body.nextHash, clock.now());
    const answer = await store.transaction(async (tx) => {
      const rotation = await tx.agents.rotate(hashSecret(body.refreshToken), next, at);
      if (rotation.outcome === 'rotated') return issueAccess(tx, this.control, rotation.agent);
      // The revocation that a theft brings must be committed, so the refusal is thrown outside.
      if (rotation.outcome === 'reused')
        await recordAction(
          tx,
          THE_SERVER,
          'agent.revoked',
          { agent: rotation.agent.id, because: 'a refresh secret was used twice' },
          at,
        );
      return rotation.outcome;
    });
    if (typeof answer !== 'string') return answer;
    this.authenticator.forget();
    throw refusalOf(answer);
  }
}

function refusalOf(outcome: 'unknown' | 'expired' | 'revoked' | 'reused'): ApiProblem {
  const again = 'enrol it again with `wstack login`';
  switch (outcome) {
    // A client that lost an answer tries the secret before it then.
    case 'unknown':
      return new ApiProblem(401, 'agent.unknown_token', `this refresh secret was never seen: ${again}`);
    case 'expired':
      return new ApiProblem(401, 'agent.unknown', `this agent was away for too long: ${again}`);
    case 'revoked':
    case 'reused':
      return new ApiProblem(401, 'agent.revoked', `this agent was revoked: ask an admin, and ${again}`);
  }
}
