import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow } from '@wrongstack/contracts';
import type { Principal } from '../auth/principal.js';
import { recordAction } from '../control/action-trail.js';
import { ControlPlane } from '../control/control-plane.js';
import { TokenAuthenticator } from './token-authenticator.js';

/** True if it was in force until now. */
export class RevokeToken extends Command<boolean> {
  constructor(
    readonly by: Principal,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(RevokeToken)
export class RevokeTokenHandler implements ICommandHandler<RevokeToken> {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(TokenAuthenticator) private readonly authenticator: TokenAuthenticator,
  ) {}

  async execute({ by, id }: RevokeToken): Promise<boolean> {
    const { store, clock } = this.control;
    const at = isoNow(clock);
    const revoked = await store.transaction(async (tx) => {
      if (!(await tx.tokens.revoke(id, at))) return false;
      await recordAction(tx, by, 'token.revoked', { token: id }, at);
      return true;
    });
    this.authenticator.forget();
    return revoked;
  }
}
