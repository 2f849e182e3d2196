import type { Principal } from './principal.js';

/** Tells who calls from the authorization header. Null = nobody that is known; why is not said to strangers. */
export abstract class Authenticator {
  abstract authenticate(authorization: string | undefined): Promise<Principal | null>;
}

/** The token of `Authorization: Bearer …`, or null. */
export function bearerOf(authorization: string | undefined): string | null {
  return /^Bearer ([\x21-\x7e]{1,8192})$/i.exec(authorization ?? '')?.[1] ?? null;
}

/** Asks each in turn; each knows its own kind of token and answers null to all others. */
export class AuthenticatorChain extends Authenticator {
  constructor(private readonly links: readonly Authenticator[]) {
    super();
  }

  override async authenticate(authorization: string | undefined): Promise<Principal | null> {
    for (const link of this.links) {
      const principal = await link.authenticate(authorization);
      if (principal !== null) return principal;
    }
    return null;
  }
}
