import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, sha256, WrongStackError, type Clock } from '@wrongstack/contracts';
import type { ClientDescription, StartedEnrolment } from '@wrongstack/contracts/wire';
import { readAgentIdentity } from './agent-session.js';
import { exchange } from './control-http.js';
import { writeEnrolment, type Enrolment } from './enrolment.js';
import { newRefreshToken, type IdentityFile, type StoredIdentity } from './identity-file.js';

export interface EnrolParts {
  readonly server: string;
  readonly client: ClientDescription;
  readonly folder: string;
  readonly identity: IdentityFile;
  readonly clock: Clock;
  /** What is pinned already; null = nothing. */
  readonly enrolment: Enrolment | null;
}

/** With a token that a person made: `POST /v1/agents`. The token itself is not kept. */
export async function enrolWithToken(
  parts: EnrolParts,
  token: string,
  team: string | undefined,
  signal: AbortSignal,
): Promise<StoredIdentity> {
  const refresh = newRefreshToken();
  const body = { client: parts.client, refreshHash: sha256(refresh), ...(team !== undefined && { team }) };
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': sha256(refresh) };
  const answer = await exchange(parts.server, { method: 'POST', path: 'agents', body, headers }, signal);
  return keep(parts, answer.body, refresh);
}

/** By a code that a person confirms elsewhere. `show` is told once what to show. Throws `enrolment.denied` or `enrolment.expired`. */
export async function enrolByCode(
  parts: EnrolParts,
  show: (started: StartedEnrolment) => void,
  signal: AbortSignal,
): Promise<StoredIdentity> {
  const refresh = newRefreshToken();
  const body = { client: parts.client, refreshHash: sha256(refresh) };
  const { body: started } = await exchange(
    parts.server,
    { method: 'POST', path: 'enrolments', body },
    signal,
  );
  if (!isStarted(started)) throw new WrongStackError('control.bad_answer', 'the server started no enrolment');
  show(started);
  let seconds = Math.min(60, Math.max(1, started.intervalSeconds));
  for (;;) {
    await sleep(seconds * 1000, undefined, { signal });
    if (parts.clock.now() >= Date.parse(started.expiresAt)) throw expired();
    try {
      const request = {
        method: 'POST',
        path: 'enrolments/token',
        body: { deviceCode: started.deviceCode },
      } as const;
      return await keep(parts, (await exchange(parts.server, request, signal)).body, refresh);
    } catch (error) {
      const code = codeOf(error);
      if (code === 'enrolment.slow_down') seconds += 5;
      else if (code === 'enrolment.expired') throw expired();
      else if (code !== 'enrolment.pending' && code !== 'control.unreachable') throw error;
    }
  }
}

/** Pin first: an identity without a pinned root would be one that nothing signed can be checked against. */
async function keep(parts: EnrolParts, body: unknown, refresh: string): Promise<StoredIdentity> {
  const identity = readAgentIdentity(body);
  const rootKey: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'rootKey') : null;
  if (typeof rootKey !== 'string' || Buffer.from(rootKey, 'base64url').length !== 32) {
    throw new WrongStackError('control.bad_answer', 'the server named no root key');
  }
  const { enrolment, server } = parts;
  if (enrolment !== null && enrolment.rootKey !== rootKey) {
    throw new WrongStackError(
      'enrolment.other_root',
      `${server} has another root key than the one that is pinned here`,
      {
        hint: 'ask your platform team; nothing was changed',
      },
    );
  }
  const stored: StoredIdentity = { ...identity, server, refreshTokens: [refresh] };
  if (enrolment === null) {
    await writeEnrolment(parts.folder, { server, rootKey, since: new Date(parts.clock.now()).toISOString() });
  }
  await parts.identity.write(stored);
  return stored;
}

function expired(): WrongStackError {
  return new WrongStackError('enrolment.expired', 'the code has expired before anybody confirmed it', {
    hint: 'wstack login',
  });
}

function isStarted(value: unknown): value is StartedEnrolment {
  if (typeof value !== 'object' || value === null) return false;
  const { deviceCode, userCode, verificationUri, expiresAt, intervalSeconds } = value as Record<
    string,
    unknown
  >;
  return (
    [deviceCode, userCode, verificationUri, expiresAt].every((text) => typeof text === 'string') &&
    typeof intervalSeconds === 'number'
  );
}
