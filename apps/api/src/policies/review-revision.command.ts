import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow } from '@wrongstack/contracts';
import type { PolicyRevision } from '@wrongstack/contracts/control';
import type { Principal } from '../auth/principal.js';
import { PublicationWatch } from '../bundles/publication-watch.js';
import { recordAction } from '../control/action-trail.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { change, current, EVERYBODY, putInForce } from './put-in-force.js';

/** Somebody other than the author says yes or no. */
export class ReviewRevision extends Command<PolicyRevision> {
  constructor(
    readonly by: Principal,
    readonly policy: string,
    readonly number: number,
    readonly yes: boolean,
    readonly because: string,
  ) {
    super();
  }
}

@CommandHandler(ReviewRevision)
export class ReviewRevisionHandler implements ICommandHandler<ReviewRevision> {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(PublicationWatch) private readonly watch: PublicationWatch,
  ) {}

  async execute({ by, policy, number, yes, because }: ReviewRevision): Promise<PolicyRevision> {
    const { store, clock } = this.control;
    const at = isoNow(clock);
    const reviewed = await store.transaction(async (tx) => {
      const revision = await current(tx, { policy, number });
      if (revision.state !== 'awaiting')
        throw new ApiProblem(
          409,
          'policy.not_awaiting',
          `revision ${number} is ${revision.state}: it waits for nobody`,
        );
      if (revision.author === by.user)
        throw new ApiProblem(403, 'policy.four_eyes', 'somebody other than the author must say so');
      const action = yes ? 'policy.approved' : 'policy.rejected';
      await recordAction(tx, by, action, { policy, revision: number, because }, at);
      if (yes) {
        const { percent, teams } = revision.rollout;
        return putInForce(tx, revision, percent < EVERYBODY.percent || teams.length > 0, by.user, at);
      }
      const { rollout } = revision;
      await change(tx, revision, { state: 'rejected', rollout, approver: by.user, because, changedAt: at });
      return current(tx, revision);
    });
    this.watch.published();
    return reviewed;
  }
}
