import { type Logger, messageOf } from '@wrongstack/contracts';
import { Authenticator, bearerOf } from '../auth/authenticator.js';
import type { Principal } from '../auth/principal.js';
import { groupsIn, type OidcPeople } from './oidc-people.js';
import type { Claims, OidcProvider } from './oidc-provider.js';
import type { OidcSettings } from './settings.js';

/** JWTs of the organisation's identity provider. */
export class OidcAuthenticator extends Authenticator {
  constructor(
    private readonly provider: OidcProvider,
    private readonly people: OidcPeople,
    private readonly log: Logger,
  ) {
    super();
  }

  override async authenticate(authorization: string | undefined): Promise<Principal | null> {
    const token = bearerOf(authorization);
    if (token === null || token.split('.').length !== 3) return null;
    const oidc = await this.people.settings();
    if (oidc === null) return null;
    const claims = await this.#verified(token, oidc);
    if (claims === null) return null;
    const user = await this.people.userOf(claims, oidc);
    return user === null ? null : this.people.principalOf(user, groupsIn(claims, oidc));
  }

  async #verified(token: string, { issuer, audience }: OidcSettings): Promise<Claims | null> {
    try {
      return await this.provider.verify(token, issuer, audience);
    } catch (error) {
      // Why is for our log; the caller learns only that it is no valid credential.
      this.log.warn('a token of the identity provider was refused', { because: messageOf(error) });
      return null;
    }
  }
}
