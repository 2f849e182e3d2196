import { isoNow } from '@wrongstack/contracts';
import type { SessionRecord } from '@wrongstack/contracts/control';
import type { Principal } from '../auth/principal.js';
import type { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { hashSecret } from '../identity/credential.js';
import type { OidcPeople } from '../identity/oidc-people.js';
import type { TokenAuthenticator } from '../identity/token-authenticator.js';
import {
  type ConsoleOrigin,
  consoleOrigin,
  requireNoOtherPage,
  type RequestHeaders,
  requireOwnPage,
} from './console-origin.js';
import { isCsrfToken, sessionSecretIn, setCookie } from './session-cookie.js';

export const SESSION_MS = 12 * 3_600_000;
export const IDLE_MS = 30 * 60_000;
export const CSRF_HEADER = 'x-wrongstack-csrf';
const TOUCH_EVERY_MS = 60_000;
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** A request with what a session is recognised by. */
export interface CookieRequest {
  readonly method: string;
  readonly headers: RequestHeaders;
}

/** A session that stands, and who it makes somebody. */
export interface StandingSession {
  readonly session: SessionRecord;
  readonly principal: Principal;
}

/** People who have signed in with a browser. Asked anew at each request, so that whatever ends a session ends it at once, at every replica. */
export class SessionAuthenticator {
  constructor(
    private readonly control: Pick<ControlPlane, 'store' | 'clock' | 'url'>,
    private readonly tokens: TokenAuthenticator,
    private readonly people: OidcPeople,
  ) {}

  /** Null = there is no cookie of ours. Throws 401 `session.ended`, 403 `session.origin`, 403 `session.csrf`. */
  async authenticate({ method, headers }: CookieRequest): Promise<Principal | null> {
    const origin = consoleOrigin(this.control, headers);
    const secret = origin === null ? null : sessionSecretIn(headers, origin);
    if (origin === null || secret === null) return null;
    const standing = await this.standing(secret);
    if (standing === null) throw sessionEnded(origin);
    requireNoOtherPage(headers);
    if (!SAFE.has(method)) {
      requireOwnPage(origin, headers);
      if (!isCsrfToken(secret, headers[CSRF_HEADER]))
        throw new ApiProblem(
          403,
          'session.csrf',
          `send ${CSRF_HEADER} with the csrf of GET /v1/session: load the page again`,
        );
    }
    this.#touch(standing.session);
    return standing.principal;
  }

  /** For what goes on for long after it was asked for. Looking is no sign of life. */
  async stillStands({ headers }: Pick<CookieRequest, 'headers'>): Promise<boolean> {
    const origin = consoleOrigin(this.control, headers);
    const secret = origin === null ? null : sessionSecretIn(headers, origin);
    return secret !== null && (await this.standing(secret)) !== null;
  }

  /** Null = unknown, over, or whatever it rests on has fallen. */
  async standing(secret: string): Promise<StandingSession | null> {
    const session = await this.control.store.sessions.get(hashSecret(secret));
    if (session === null) return null;
    const now = this.control.clock.now();
    if (Date.parse(session.expiresAt) <= now || Date.parse(session.lastSeenAt) + IDLE_MS <= now) return null;
    const principal = await this.#principalOf(session);
    if (principal === null) return null;
    return { session, principal: { ...principal, credential: { kind: 'session', id: session.id } } };
  }

  async #principalOf({ user, proof }: SessionRecord): Promise<Principal | null> {
    switch (proof.kind) {
      case 'token': {
        const principal = await this.tokens.standing(proof.token);
        // A session is a person's, whatever became of the token.
        return principal?.kind === 'user' && principal.id === user ? principal : null;
      }
      case 'oidc':
        return this.people.standing(user, proof.issuer, proof.groups);
    }
  }

  #touch({ id, lastSeenAt }: SessionRecord): void {
    const { clock, store } = this.control;
    if (clock.now() - Date.parse(lastSeenAt) < TOUCH_EVERY_MS) return;
    // Nobody waits for it; the next request tries again.
    store.sessions.touch(id, isoNow(clock)).catch(() => undefined);
  }
}

/** The browser is told to forget the cookie as well. */
export function sessionEnded(origin: ConsoleOrigin): ApiProblem {
  return new ApiProblem(401, 'session.ended', 'your session is over: sign in again', [], {
    'set-cookie': setCookie('session', null, 0, origin),
  });
}
