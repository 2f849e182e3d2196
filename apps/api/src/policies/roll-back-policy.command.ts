import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow } from '@wrongstack/contracts';
import type { PolicyRevision } from '@wrongstack/contracts/control';
import type { Principal } from '../auth/principal.js';
import { PublicationWatch } from '../bundles/publication-watch.js';
import { recordAction } from '../control/action-trail.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { current, EVERYBODY, putInForce } from './put-in-force.js';

/**
 * An earlier text as a new, higher revision, in force for all at once: in an emergency nobody waits for a second person, and what
 * was in force before was reviewed then.
 */
export class RollBackPolicy extends Command<PolicyRevision> {
  constructor(
    readonly by: Principal,
    readonly policy: string,
    readonly to: number,
    readonly expectedRevision: number,
    readonly note: string,
  ) {
    super();
  }
}

@CommandHandler(RollBackPolicy)
export class RollBackPolicyHandler implements ICommandHandler<RollBackPolicy> {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(PublicationWatch) private readonly watch: PublicationWatch,
  ) {}

  async execute({ by, policy, to, expectedRevision, note }: RollBackPolicy): Promise<PolicyRevision> {
    const { store, clock } = this.control;
    const at = isoNow(clock);
    const revision = await store.transaction(async (tx) => {
      const old = await current(tx, { policy, number: to });
      if (old.state === 'awaiting' || old.state === 'rejected')
        throw new ApiProblem(
          409,
          'policy.never_in_force',
          `revision ${to} was never in force: publish its text instead`,
        );
      const number = expectedRevision + 1;
      const added = await tx.policies.addRevision({
        policy,
        number,
        kind: 'rollback',
        rollbackOf: to,
        text: old.text,
        digest: old.digest,
        author: by.user,
        note,
        createdAt: at,
        approver: null,
        rollout: EVERYBODY,
        state: 'awaiting',
        changedAt: at,
        because: null,
      });
      if (!added.ok)
        throw new ApiProblem(
          409,
          'policy.revision_conflict',
          `the newest revision is ${added.current?.number ?? 0}: look at it first`,
        );
      await recordAction(tx, by, 'policy.rolled_back', { policy, to, revision: number }, at);
      return putInForce(tx, await current(tx, { policy, number }), false, null, at);
    });
    this.watch.published();
    return revision;
  }
}
