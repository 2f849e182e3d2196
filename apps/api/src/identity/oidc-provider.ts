import type { Clock } from '@wrongstack/contracts';

/** Signed with a key that the issuer alone has: never `none`, never a shared secret, whatever the token itself says. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA'];
const SKEW_SECONDS = 60;
const MOST_SECONDS_OLD = 24 * 3600;
export const ANSWER_MS = 10_000;
const KEYS_AGAIN_MS = 5_000;

type Jose = typeof import('jose');
type Keys = ReturnType<Jose['createRemoteJWKSet']>;
export type Claims = Awaited<ReturnType<Jose['jwtVerify']>>['payload'];

/** What an identity provider says about itself. */
export interface ProviderMetadata {
  readonly issuer: string;
  readonly authorizationEndpoint: string | null;
  readonly tokenEndpoint: string | null;
  readonly userinfoEndpoint: string | null;
  readonly scopes: readonly string[];
}

interface Known extends ProviderMetadata {
  readonly keys: Keys;
}

/** The identity provider behind an issuer, asked once. Another issuer takes its place. */
export class OidcProvider {
  #known: Known | null = null;

  constructor(private readonly clock: Clock) {}

  /** Rejects where it cannot be reached or names another issuer. */
  async metadata(issuer: string): Promise<ProviderMetadata> {
    return this.#discover(await import('jose'), issuer);
  }

  /** The claims of a JWT that this issuer signed for this audience, now. Rejects with the reason, which is for our log alone. */
  async verify(token: string, issuer: string, audience: string): Promise<Claims> {
    // Loaded with the first such token: most installations have none.
    const jose = await import('jose');
    const { keys } = await this.#discover(jose, issuer);
    const { payload } = await jose.jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: SKEW_SECONDS,
      requiredClaims: ['sub', 'exp', 'iat'],
      maxTokenAge: MOST_SECONDS_OLD,
      currentDate: new Date(this.clock.now()),
    });
    return payload;
  }

  async #discover(jose: Jose, issuer: string): Promise<Known> {
    if (this.#known?.issuer === issuer) return this.#known;
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const answer = await fetch(address, { signal: AbortSignal.timeout(ANSWER_MS), redirect: 'error' });
    const found = objectOf(await answer.json());
    const uri = found['jwks_uri'];
    if (typeof uri !== 'string' || found['issuer'] !== issuer)
      throw new Error(`${address} names another issuer, or no keys`);
    // jose asks again when a token names a key that it does not know.
    const keys = jose.createRemoteJWKSet(new URL(uri), {
      timeoutDuration: ANSWER_MS,
      cooldownDuration: KEYS_AGAIN_MS,
    });
    const endpoint = (name: string): string | null => {
      const value = found[name];
      return typeof value === 'string' && URL.canParse(value) ? value : null;
    };
    const scopes = found['scopes_supported'];
    this.#known = {
      issuer,
      authorizationEndpoint: endpoint('authorization_endpoint'),
      tokenEndpoint: endpoint('token_endpoint'),
      userinfoEndpoint: endpoint('userinfo_endpoint'),
      scopes: Array.isArray(scopes) ? scopes.filter((one) => typeof one === 'string') : [],
      keys,
    };
    return this.#known;
  }
}

export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
