import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow } from '@wrongstack/contracts';
import type { Principal } from '../auth/principal.js';
import { recordAction } from '../control/action-trail.js';
import { ControlPlane } from '../control/control-plane.js';

/** True if it stood until now. */
export class EndSession extends Command<boolean> {
  constructor(
    readonly by: Principal,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(EndSession)
export class EndSessionHandler implements ICommandHandler<EndSession> {
  constructor(@Inject(ControlPlane) private readonly control: ControlPlane) {}

  execute({ by, id }: EndSession): Promise<boolean> {
    const { store, clock } = this.control;
    return store.transaction(async (tx) => {
      if (!(await tx.sessions.remove(id))) return false;
      await recordAction(tx, by, 'session.ended', { session: id }, isoNow(clock));
      return true;
    });
  }
}
