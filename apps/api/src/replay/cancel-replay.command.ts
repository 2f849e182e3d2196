import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow } from '@wrongstack/contracts';
import type { ReplayJob } from '@wrongstack/contracts/control';
import type { Principal } from '../auth/principal.js';
import { recordAction } from '../control/action-trail.js';
import { ControlPlane } from '../control/control-plane.js';
import { preconditionFailed } from '../http/entity-tag.js';
import { isFinished } from './replay-view.js';
import { unknownReplay } from './unknown-replay.js';

/** Ends a replay; what it has found stays. One that has ended is left as it is. */
export class CancelReplay extends Command<ReplayJob> {
  constructor(
    readonly by: Principal,
    readonly id: string,
  ) {
    super();
  }
}

/** Progress is written about once a second, each time under a new tag. */
const MOST_TRIES = 20;

@CommandHandler(CancelReplay)
export class CancelReplayHandler implements ICommandHandler<CancelReplay> {
  constructor(@Inject(ControlPlane) private readonly control: ControlPlane) {}

  async execute({ by, id }: CancelReplay): Promise<ReplayJob> {
    const { store, clock } = this.control;
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const cancelled = await store.transaction(async (tx) => {
        const job = await tx.replays.get(id);
        if (job === null) throw unknownReplay();
        if (isFinished(job)) return job;
        const at = isoNow(clock);
        const because = `cancelled by ${by.user}`;
        const outcome = await tx.replays.change(
          { ...job, state: 'cancelled', because, endedAt: at },
          job.etag,
        );
        if (!outcome.ok) return null;
        await recordAction(tx, by, 'replay.cancelled', { replay: id, policy: job.policy }, at);
        return tx.replays.get(id);
      });
      if (cancelled !== null) return cancelled;
    }
    throw preconditionFailed(`replay ${id}`, 0);
  }
}
