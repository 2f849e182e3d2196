import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow, WrongStackError } from '@wrongstack/contracts';
import { type TokenRecord } from '@wrongstack/contracts/control';
import type { Principal, Role } from '../auth/principal.js';
import { recordAction } from '../control/action-trail.js';
import { ControlPlane } from '../control/control-plane.js';
import { newCredential } from './credential.js';

export interface TokenWanted {
  readonly name: string;
  /** Null = whoever asks. An agent's teams and roles are those of its record, and a person's likewise. */
  readonly holder:
    | { readonly kind: 'agent'; readonly id: string }
    | {
        readonly kind: 'service';
        readonly id: string;
        readonly roles: readonly Role[];
        readonly teams: readonly string[];
      }
    | null;
  readonly scopes: readonly string[];
  readonly expiresAt: string | null;
}

/** The only time that the token itself is there to be seen. */
export interface IssuedToken {
  readonly token: string;
  readonly record: TokenRecord;
}

export class IssueToken extends Command<IssuedToken> {
  constructor(
    readonly by: Principal,
    readonly wanted: TokenWanted,
  ) {
    super();
  }
}

@CommandHandler(IssueToken)
export class IssueTokenHandler implements ICommandHandler<IssueToken> {
  constructor(@Inject(ControlPlane) private readonly control: ControlPlane) {}

  async execute({ by, wanted }: IssueToken): Promise<IssuedToken> {
    const { store, clock } = this.control;
    const { id, token, secretHash } = newCredential('wst');
    const at = isoNow(clock);
    const { name, holder, scopes, expiresAt } = wanted;
    const service =
      holder === null && by.kind === 'service' ? by : holder?.kind === 'service' ? holder : null;
    const record: TokenRecord = {
      id,
      kind: 'api',
      name,
      secretHash,
      principal: { id: (holder ?? by).id, kind: (holder ?? by).kind },
      teams: service?.teams ?? [],
      roles: service?.roles ?? [],
      // A token made with a narrower one is not wider than it.
      scopes: by.scopes === null ? scopes : scopes.filter((scope) => by.scopes?.includes(scope)),
      createdBy: by.user,
      createdAt: at,
      expiresAt,
      revokedAt: null,
      lastUsedAt: null,
    };
    await store.transaction(async (tx) => {
      if (!(await tx.tokens.add(record)))
        throw new WrongStackError('store.conflict', 'this token id is taken: try again');
      await recordAction(tx, by, 'token.issued', { token: id, name, for: record.principal.id, scopes }, at);
    });
    return { token, record };
  }
}
