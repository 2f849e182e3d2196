import { createHash } from 'node:crypto';
import { messageOf, WrongStackError } from '@wrongstack/contracts';
import type { UserRecord } from '@wrongstack/contracts/control';
import type { Principal } from '../auth/principal.js';
import { groupsIn, type OidcPeople, type ProvenClaims } from '../identity/oidc-people.js';
import { ANSWER_MS, objectOf, type OidcProvider, type ProviderMetadata } from '../identity/oidc-provider.js';
import type { OidcSettings } from '../identity/settings.js';
import { newSecret } from './session-cookie.js';

const CALLBACK = '/v1/session/oidc/callback';
/** Asked for where the provider has it; claims that need another scope are not there. */
const SCOPES = ['openid', 'profile', 'email', 'groups'];

/** What this browser must still have when it comes back. Kept in its own cookie: what it holds is of no use to anybody else. */
interface Pending {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE: a code that was caught on its way cannot be redeemed without it. */
  readonly verifier: string;
  readonly returnTo: string;
}

/** What the provider sends along with the browser. */
export interface CallbackQuery {
  readonly code?: string;
  readonly state?: string;
  readonly error?: string;
  readonly iss?: string;
}

export interface SignedIn {
  readonly principal: Principal;
  readonly user: UserRecord;
  readonly issuer: string;
  readonly groups: readonly string[];
  readonly returnTo: string;
}

/** Signing in at the organisation's identity provider: authorization code with PKCE, state and nonce. Throws `session.oidc_*`. */
export class OidcSignIn {
  constructor(
    private readonly provider: OidcProvider,
    private readonly people: OidcPeople,
    private readonly clientSecret: string | null,
  ) {}

  /** Null = people sign in with tokens alone. */
  async settings(): Promise<(OidcSettings & { readonly clientId: string }) | null> {
    const oidc = await this.people.settings();
    return oidc === null || oidc.clientId === null ? null : { ...oidc, clientId: oidc.clientId };
  }

  /** `cookie`: what `finish` wants back. `origin`: where the console is. */
  async begin(
    origin: string,
    returnTo: string,
  ): Promise<{ readonly location: string; readonly cookie: string }> {
    const { issuer, clientId } = await this.#required();
    const metadata = await this.#metadata(issuer);
    const pending: Pending = { state: newSecret(), nonce: newSecret(), verifier: newSecret(), returnTo };
    const location = new URL(reachable('authorization', metadata.authorizationEndpoint));
    const asked = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: origin + CALLBACK,
      scope: SCOPES.filter((one) => one === 'openid' || metadata.scopes.includes(one)).join(' '),
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: createHash('sha256').update(pending.verifier).digest('base64url'),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(asked)) location.searchParams.set(name, value);
    return { location: location.href, cookie: Buffer.from(JSON.stringify(pending)).toString('base64url') };
  }

  async finish(origin: string, query: CallbackQuery, cookie: string | null): Promise<SignedIn> {
    const pending = cookie === null ? null : pendingIn(cookie);
    if (pending === null || query.state !== pending.state)
      throw failure('state', 'this browser did not begin this sign-in, or took too long');
    const oidc = await this.#required();
    if (query.iss !== undefined && query.iss !== oidc.issuer)
      throw failure('state', 'another identity provider answered');
    if (query.error !== undefined || query.code === undefined)
      throw failure('denied', 'the identity provider did not let the person in');
    const claims = await this.#claims(origin, oidc, query.code, pending);
    const user = await this.people.userOf(claims, oidc);
    if (user === null)
      throw failure('unknown_person', 'the provider vouches for nobody who may come in here');
    const groups = groupsIn(claims, oidc);
    const principal = await this.people.principalOf(user, groups);
    return { principal, user, issuer: oidc.issuer, groups, returnTo: pending.returnTo };
  }

  async #required(): Promise<OidcSettings & { readonly clientId: string }> {
    const settings = await this.settings();
    if (settings === null) throw failure('off', 'no identity provider is set up for the console');
    return settings;
  }

  async #metadata(issuer: string): Promise<ProviderMetadata> {
    return this.provider.metadata(issuer).catch((error: unknown) => {
      throw failure('failed', `the identity provider cannot be asked: ${messageOf(error)}`, error);
    });
  }

  async #claims(
    origin: string,
    oidc: OidcSettings & { readonly clientId: string },
    code: string,
    { nonce, verifier }: Pending,
  ): Promise<ProvenClaims> {
    const { issuer, clientId } = oidc;
    const metadata = await this.#metadata(issuer);
    try {
      const form = {
        grant_type: 'authorization_code',
        code,
        redirect_uri: origin + CALLBACK,
        client_id: clientId,
        code_verifier: verifier,
      };
      const tokens = await this.#post(reachable('token', metadata.tokenEndpoint), form, clientId);
      const { id_token: idToken, access_token: accessToken } = tokens;
      if (typeof idToken !== 'string') throw new Error('the answer holds no id_token');
      const claims: ProvenClaims = await this.provider.verify(idToken, issuer, clientId);
      if (claims['nonce'] !== nonce) throw new Error('the id_token is of another sign-in');
      const { azp } = claims;
      if (azp !== undefined && azp !== clientId) throw new Error('the id_token was made for another client');
      const known = claims[oidc.userClaim] !== undefined && claims[oidc.groupsClaim] !== undefined;
      if (known || metadata.userinfoEndpoint === null || typeof accessToken !== 'string') return claims;
      return { ...(await userinfo(metadata.userinfoEndpoint, accessToken, claims)), ...claims };
    } catch (error) {
      throw failure('failed', `the identity provider's answer is no proof: ${messageOf(error)}`, error);
    }
  }

  async #post(
    endpoint: string,
    form: Readonly<Record<string, string>>,
    clientId: string,
  ): Promise<Readonly<Record<string, unknown>>> {
    const basic = [clientId, this.clientSecret ?? ''].map(encodeURIComponent).join(':');
    const answer = await fetch(endpoint, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        ...(this.clientSecret === null
          ? {}
          : { authorization: `Basic ${Buffer.from(basic).toString('base64')}` }),
      },
      body: new URLSearchParams(form),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const body = objectOf(await answer.json());
    if (answer.ok) return body;
    const { error } = body;
    throw new Error(`it said ${answer.status} ${typeof error === 'string' ? error : ''}`);
  }
}

/** Claims that the id_token leaves out. They are this person's only if they say the same subject. */
async function userinfo(endpoint: string, accessToken: string, { sub }: ProvenClaims): Promise<ProvenClaims> {
  const answer = await fetch(reachable('userinfo', endpoint), {
    headers: { accept: 'application/json', authorization: `Bearer ${accessToken}` },
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const claims: ProvenClaims = objectOf(await answer.json());
  if (!answer.ok || claims.sub !== sub) throw new Error('userinfo is about somebody else');
  return claims;
}

/** Codes and tokens travel over TLS, or on this machine. */
function reachable(name: string, endpoint: string | null): string {
  const url = endpoint === null ? null : new URL(endpoint);
  const local = url !== null && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  if (url !== null && (url.protocol === 'https:' || (local && url.protocol === 'http:'))) return url.href;
  throw failure('failed', `the identity provider has no ${name} endpoint that is reached over https`);
}

function pendingIn(cookie: string): Pending | null {
  try {
    const { state, nonce, verifier, returnTo } = objectOf(
      JSON.parse(Buffer.from(cookie, 'base64url').toString('utf8')),
    );
    if (typeof state !== 'string' || typeof nonce !== 'string' || typeof verifier !== 'string') return null;
    return { state, nonce, verifier, returnTo: consolePath(returnTo) };
  } catch {
    return null;
  }
}

/** Where in the console somebody wanted to go. Anything that could lead elsewhere is its first page. */
export function consolePath(wanted: unknown): string {
  return typeof wanted === 'string' && /^\/console(?:\/[\w.~%=&?+-]+)*\/?$/.test(wanted)
    ? wanted
    : '/console/';
}

function failure(code: string, message: string, cause?: unknown): WrongStackError {
  return new WrongStackError(`session.oidc_${code}`, message, cause === undefined ? {} : { cause });
}
