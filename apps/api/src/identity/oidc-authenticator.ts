import { isoNow, type Logger, messageOf } from '@wrongstack/contracts';
import { Authenticator, bearerOf } from '../auth/authenticator.js';
import { type Principal, ROLES } from '../auth/principal.js';
import type { ControlPlane } from '../control/control-plane.js';
import { type OidcSettings, readSettings } from './settings.js';

/** Signed with a key that the issuer alone has: never `none`, never a shared secret, whatever the token itself says. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA'];
const SKEW_SECONDS = 60;
const SETTINGS_MS = 5_000;
const DISCOVERY_MS = 10_000;
const MOST_SECONDS_OLD = 24 * 3600;

type Jose = typeof import('jose');
type Keys = ReturnType<Jose['createRemoteJWKSet']>;
type Claims = Awaited<ReturnType<Jose['jwtVerify']>>['payload'];

/** JWTs of the organisation's identity provider. Groups become teams and roles by the table; nobody gets a role by asking. */
export class OidcAuthenticator extends Authenticator {
  #settings: { readonly value: OidcSettings | null; readonly until: number } | null = null;
  #keys: { readonly issuer: string; readonly keys: Keys } | null = null;

  constructor(
    private readonly control: Pick<ControlPlane, 'store' | 'clock' | 'organisation'>,
    private readonly log: Logger,
  ) {
    super();
  }

  override async authenticate(authorization: string | undefined): Promise<Principal | null> {
    const token = bearerOf(authorization);
    if (token === null || token.split('.').length !== 3) return null;
    const oidc = await this.#oidc();
    if (oidc === null) return null;
    const claims = await this.#verified(token, oidc);
    return claims === null ? null : this.#principalOf(claims, oidc);
  }

  async #verified(token: string, { issuer, audience }: OidcSettings): Promise<Claims | null> {
    // Loaded with the first such token: most installations have none.
    const jose = await import('jose');
    try {
      const { payload } = await jose.jwtVerify(token, await this.#keysOf(jose, issuer), {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: SKEW_SECONDS,
        requiredClaims: ['sub', 'exp', 'iat'],
        maxTokenAge: MOST_SECONDS_OLD,
        currentDate: new Date(this.control.clock.now()),
      });
      return payload;
    } catch (error) {
      // Why is for our log; the caller learns only that it is no valid credential.
      this.log.warn('a token of the identity provider was refused', { because: messageOf(error) });
      return null;
    }
  }

  async #principalOf(claims: Claims, oidc: OidcSettings): Promise<Principal | null> {
    const { store, organisation: org } = this.control;
    const { sub: subject = '' } = claims;
    const name: unknown = claims[oidc.userClaim];
    if (subject === '' || typeof name !== 'string' || !/^[A-Za-z0-9][A-Za-z0-9._@-]{0,99}$/.test(name))
      return null;
    const user =
      (await store.identities.userBySubject(oidc.issuer, subject)) ??
      (await this.#welcome(name, subject, oidc));
    if (user === null || user.disabledAt !== null) return null;
    const { teams, roles } = await this.#granted(claims[oidc.groupsClaim]);
    return {
      id: user.id,
      kind: 'user',
      org,
      user: user.id,
      teams: [...new Set([...user.teams, ...teams])],
      roles: ROLES.filter((role) => user.roles.includes(role) || roles.has(role)),
      scopes: null,
      credential: { kind: 'oidc', id: `${oidc.issuer} ${subject}` },
    };
  }

  /** The first time: a user without roles of their own. A name that somebody else has here is not taken over. */
  async #welcome(id: string, subject: string, { issuer }: OidcSettings) {
    const { store, clock } = this.control;
    await store.identities.addUser({
      id,
      name: id,
      email: null,
      subject: { issuer, subject },
      teams: [],
      roles: [],
      createdAt: isoNow(clock),
      disabledAt: null,
    });
    return store.identities.userBySubject(issuer, subject);
  }

  async #granted(groups: unknown): Promise<{ readonly teams: Set<string>; readonly roles: Set<string> }> {
    const held = new Set(Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : []);
    const { value } = await this.control.store.identities.groupMappings();
    const granted = value.filter(({ group }) => held.has(group));
    return {
      teams: new Set(granted.flatMap(({ teams }) => teams)),
      roles: new Set(granted.flatMap(({ roles }) => roles)),
    };
  }

  async #oidc(): Promise<OidcSettings | null> {
    const now = this.control.clock.now();
    if (this.#settings === null || this.#settings.until <= now) {
      const { value } = await readSettings(this.control.store);
      this.#settings = { value: value.oidc, until: now + SETTINGS_MS };
    }
    return this.#settings.value;
  }

  /** Where the issuer says that its keys are. jose asks again when a token names a key that it does not know. */
  async #keysOf(jose: Jose, issuer: string): Promise<Keys> {
    if (this.#keys?.issuer === issuer) return this.#keys.keys;
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const answer = await fetch(address, { signal: AbortSignal.timeout(DISCOVERY_MS), redirect: 'error' });
    const found: unknown = await answer.json();
    const uri: unknown = typeof found === 'object' && found !== null ? Reflect.get(found, 'jwks_uri') : null;
    const said: unknown = typeof found === 'object' && found !== null ? Reflect.get(found, 'issuer') : null;
    if (typeof uri !== 'string' || said !== issuer)
      throw new Error(`${address} names another issuer, or no keys`);
    const keys = jose.createRemoteJWKSet(new URL(uri), {
      timeoutDuration: DISCOVERY_MS,
      cooldownDuration: 5_000,
    });
    this.#keys = { issuer, keys };
    return keys;
  }
}
