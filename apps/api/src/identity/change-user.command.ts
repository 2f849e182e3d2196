import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow } from '@wrongstack/contracts';
import { type UserRecord } from '@wrongstack/contracts/control';
import type { Principal, Role } from '../auth/principal.js';
import { recordAction } from '../control/action-trail.js';
import { ControlPlane } from '../control/control-plane.js';
import { preconditionFailed } from '../http/entity-tag.js';
import { ApiProblem } from '../errors/api-problem.js';
import { TokenAuthenticator } from './token-authenticator.js';

export interface UserChange {
  readonly name: string;
  readonly email: string | null;
  readonly teams: readonly string[];
  readonly roles: readonly Role[];
  readonly disabled: boolean;
}

/** Makes the user (`ifEtag` 0) or changes them. */
export class ChangeUser extends Command<UserRecord> {
  constructor(
    readonly by: Principal,
    readonly id: string,
    readonly change: UserChange,
    readonly ifEtag: number,
  ) {
    super();
  }
}

@CommandHandler(ChangeUser)
export class ChangeUserHandler implements ICommandHandler<ChangeUser> {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(TokenAuthenticator) private readonly authenticator: TokenAuthenticator,
  ) {}

  async execute({ by, id, change, ifEtag }: ChangeUser): Promise<UserRecord> {
    const { store, clock } = this.control;
    const at = isoNow(clock);
    const { disabled, ...rest } = change;
    const changed = await store.transaction(async (tx) => {
      const before = await tx.identities.user(id);
      const disabledAt = disabled ? (before?.disabledAt ?? at) : null;
      if (before === null) {
        if (ifEtag !== 0) throw new ApiProblem(404, 'user.unknown', 'there is no such user');
        const user = { id, ...rest, subject: null, createdAt: at, disabledAt };
        if (!(await tx.identities.addUser(user))) throw preconditionFailed(`user ${id}`, 1);
      } else {
        const after = { ...before, ...rest, disabledAt };
        const outcome = await tx.identities.changeUser(after, ifEtag);
        if (!outcome.ok) throw preconditionFailed(`user ${id}`, outcome.current?.etag ?? 0);
      }
      const { teams, roles } = change;
      await recordAction(tx, by, 'user.changed', { user: id, teams, roles, disabled }, at);
      const user = await tx.identities.user(id);
      if (user === null) throw new ApiProblem(404, 'user.unknown', 'there is no such user');
      return user;
    });
    this.authenticator.forget();
    return changed;
  }
}
