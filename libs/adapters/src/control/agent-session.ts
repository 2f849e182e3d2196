import { join } from 'node:path';
import { codeOf, sha256, WrongStackError, type Clock } from '@wrongstack/contracts';
import type { AgentIdentity } from '@wrongstack/contracts/wire';
import { FileLock } from '../files/file-lock.js';
import { exchange, type ControlRequest, type ControlResponse } from './control-http.js';
import { newRefreshToken, type IdentityFile, type StoredIdentity } from './identity-file.js';

/** A token that ends sooner than this is renewed before it is used. */
const EARLY_MS = 60_000;
const LOCK_PATIENCE_MS = 20_000;
/** Answers that got lost one after another; more of them mean that something else is wrong. */
const MOST_TOKENS = 64;

/** Speaks to the server as the enrolled agent: with an access token, renewed when it ends. */
export class AgentSession {
  constructor(
    private readonly identity: IdentityFile,
    private readonly folder: string,
    private readonly clock: Clock,
  ) {}

  /** Null = not signed in. */
  who(): Promise<StoredIdentity | null> {
    return this.identity.read();
  }

  /** Throws `identity.none` and what `exchange` throws. A 401 is tried once more with a new token. */
  async send(request: ControlRequest, signal: AbortSignal): Promise<ControlResponse> {
    const who = await this.signedIn(signal);
    try {
      return await exchange(who.server, withToken(request, who.accessToken), signal);
    } catch (error) {
      if (!(error instanceof WrongStackError && 'status' in error && error.status === 401)) throw error;
      const renewed = await this.renew(who.accessToken, signal);
      return await exchange(renewed.server, withToken(request, renewed.accessToken), signal);
    }
  }

  async signedIn(signal: AbortSignal): Promise<StoredIdentity> {
    const who = await this.identity.read();
    if (who === null)
      throw new WrongStackError('identity.none', 'nobody is signed in here', { hint: 'wstack login' });
    const good = Date.parse(who.accessExpiresAt) - EARLY_MS > this.clock.now();
    return good ? who : this.renew(who.accessToken, signal);
  }

  /** One process renews, the others wait for it and take what it got. */
  private async renew(stale: string, signal: AbortSignal): Promise<StoredIdentity> {
    const attempt = await FileLock.take(join(this.folder, 'identity.lock'), LOCK_PATIENCE_MS);
    if (!attempt.taken)
      throw new WrongStackError('identity.busy', 'another process is renewing the token and does not end');
    try {
      const who = await this.identity.read();
      if (who === null)
        throw new WrongStackError('identity.none', 'nobody is signed in here', { hint: 'wstack login' });
      if (who.accessToken !== stale) return who;
      return await this.rotate(who, signal);
    } finally {
      attempt.lock.release();
    }
  }

  /**
   * The next token is written down before its hash is sent, so whichever way the answer gets lost, one of the written ones is
   * good. The newest is presented first: a token below one that the server knows has been used, and presenting a used one
   * would revoke us.
   */
  private async rotate(who: StoredIdentity, signal: AbortSignal): Promise<StoredIdentity> {
    if (who.refreshTokens.length >= MOST_TOKENS) {
      throw new WrongStackError('identity.lost', 'the server has not answered a renewal for too long', {
        hint: 'wstack login',
      });
    }
    // An answer got lost before. Whether anybody is there is asked without a token first, so that a long time offline costs none.
    if (who.refreshTokens.length > 1) await exchange(who.server, { path: 'keys' }, signal);
    const tokens = [...who.refreshTokens, newRefreshToken()];
    await this.identity.write({ ...who, refreshTokens: tokens });
    for (let index = tokens.length - 2; index >= 0; index -= 1) {
      const [present = '', next = ''] = tokens.slice(index, index + 2);
      try {
        const body = { refreshToken: present, nextHash: sha256(next) };
        const answer = await exchange(who.server, { method: 'POST', path: 'agents/token', body }, signal);
        const renewed: StoredIdentity = {
          ...readAgentIdentity(answer.body),
          server: who.server,
          refreshTokens: [next],
        };
        await this.identity.write(renewed);
        return renewed;
      } catch (error) {
        if (codeOf(error) === 'agent.unknown_token') continue;
        if (neverArrived(error)) await this.identity.write(who);
        throw error;
      }
    }
    throw new WrongStackError('identity.unknown', 'the server does not know this client any more', {
      hint: 'wstack login',
    });
  }
}

/** The members that an identity must have. Throws `control.bad_answer`. */
export function readAgentIdentity(body: unknown): AgentIdentity {
  const value = typeof body === 'object' && body !== null ? (body as Partial<AgentIdentity>) : {};
  const { agent, principal, organisation, scope, accessToken, accessExpiresAt } = value;
  const texts = [
    agent?.id,
    principal?.id,
    principal?.name,
    organisation,
    scope,
    accessToken,
    accessExpiresAt,
  ];
  if (
    agent === undefined ||
    principal === undefined ||
    !texts.every((text) => typeof text === 'string' && text !== '')
  ) {
    throw new WrongStackError('control.bad_answer', 'the server answered with no complete identity');
  }
  const { teams, roles } = principal;
  if (!Array.isArray(teams) || !Array.isArray(roles) || Number.isNaN(Date.parse(accessExpiresAt ?? ''))) {
    throw new WrongStackError('control.bad_answer', 'the server answered with no complete identity');
  }
  // Checked above; members of a later server are left out.
  return { agent, principal, organisation, scope, accessToken, accessExpiresAt } as AgentIdentity;
}

/** There was no connection at all, so what was to be sent was not. */
function neverArrived(error: unknown): boolean {
  const fetchError: unknown = error instanceof Error ? error.cause : undefined;
  const code = codeOf(fetchError instanceof Error ? fetchError.cause : undefined);
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code);
}

function withToken(request: ControlRequest, token: string): ControlRequest {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}
