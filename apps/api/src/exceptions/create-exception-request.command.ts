import { randomBytes } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Facts, isoNow } from '@wrongstack/contracts';
import type { ExceptionRequest } from '@wrongstack/contracts/control';
import type { CreateExceptionRequest as CreateBody } from '@wrongstack/contracts/wire';
import type { Principal } from '../auth/principal.js';
import { recordAction } from '../control/action-trail.js';
import { ControlPlane } from '../control/control-plane.js';
import { unknownException } from './exception-views.js';

/** Somebody who was denied asks that the rule should not hold for them for a while. */
export class CreateExceptionRequest extends Command<ExceptionRequest> {
  constructor(
    readonly by: Principal,
    readonly body: CreateBody,
  ) {
    super();
  }
}

@CommandHandler(CreateExceptionRequest)
export class CreateExceptionRequestHandler implements ICommandHandler<CreateExceptionRequest> {
  constructor(@Inject(ControlPlane) private readonly control: ControlPlane) {}

  async execute({ by, body }: CreateExceptionRequest): Promise<ExceptionRequest> {
    const { store, clock } = this.control;
    const at = isoNow(clock);
    const { decision, tool, title, digest, rule, document, revision, reason, wantedUntil } = body;
    const [team = null] = by.teams;
    const id = `ex-${randomBytes(10).toString('hex')}`;
    return store.transaction(async (tx) => {
      await tx.exceptionRequests.add({
        ...{ id, team, decision, digest, tool, title, reason, wantedUntil },
        requester: by.user,
        rule: { id: rule, document, revision },
        // Shown, and read with care where an exception is made of it.
        facts: body.facts as Facts,
        createdAt: at,
      });
      await recordAction(tx, by, 'exception.requested', { exception: id, rule, document }, at);
      const request = await tx.exceptionRequests.get(id);
      if (request === null) throw unknownException();
      return request;
    });
  }
}
