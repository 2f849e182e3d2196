import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow } from '@wrongstack/contracts';
import type { PolicyRevision, Rollout } from '@wrongstack/contracts/control';
import type { Principal } from '../auth/principal.js';
import { PublicationWatch } from '../bundles/publication-watch.js';
import { recordAction } from '../control/action-trail.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { change, current, putInForce } from './put-in-force.js';

export type Steering =
  | { readonly to: 'halt'; readonly because: string }
  /** Null = everybody. */
  | { readonly to: 'advance'; readonly rollout: Pick<Rollout, 'teams' | 'percent'> | null };

/** A staged revision goes further, or is taken back from everybody who has it. */
export class SteerRollout extends Command<PolicyRevision> {
  constructor(
    readonly by: Pick<Principal, 'user' | 'kind' | 'id' | 'teams'>,
    readonly policy: string,
    readonly number: number,
    readonly steering: Steering,
  ) {
    super();
  }
}

@CommandHandler(SteerRollout)
export class SteerRolloutHandler implements ICommandHandler<SteerRollout> {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(PublicationWatch) private readonly watch: PublicationWatch,
  ) {}

  async execute({ by, policy, number, steering }: SteerRollout): Promise<PolicyRevision> {
    const { store, clock } = this.control;
    const at = isoNow(clock);
    const steered = await store.transaction(async (tx) => {
      const revision = await current(tx, { policy, number });
      if (revision.state !== 'staged')
        throw new ApiProblem(
          409,
          'policy.not_staged',
          `revision ${number} is ${revision.state}: there is no rollout to steer`,
        );
      const { approver, rollout } = revision;
      await recordAction(tx, by, `rollout.${steering.to}`, { policy, revision: number, ...steering }, at);
      switch (steering.to) {
        case 'halt': {
          const { because } = steering;
          await change(tx, revision, { state: 'halted', rollout, approver, because, changedAt: at });
          break;
        }
        case 'advance': {
          if (steering.rollout === null) return putInForce(tx, revision, false, null, at);
          // The salt stays, so that whoever has it keeps it.
          const wider = { ...steering.rollout, salt: rollout.salt };
          await change(tx, revision, {
            state: 'staged',
            rollout: wider,
            approver,
            because: null,
            changedAt: at,
          });
          break;
        }
      }
      await tx.bundleRevision.raise();
      return current(tx, revision);
    });
    this.watch.published();
    return steered;
  }
}
