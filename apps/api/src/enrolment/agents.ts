import { randomBytes } from 'node:crypto';
import type { AgentRecord, ControlPorts } from '@wrongstack/contracts/control';
import type { AgentIdentity, ClientDescription } from '@wrongstack/contracts/wire';
import type { ControlPlane } from '../control/control-plane.js';
import { newCredential } from '../identity/credential.js';
import { scopeOf } from '../identity/who-is.js';

const ACCESS_MS = 3_600_000;
const REFRESH_MS = 60 * 24 * 3_600_000;

/** A new agent of a person, who answers for it. */
export function newAgent(
  owner: string,
  teams: readonly string[],
  { name, host }: ClientDescription,
  at: string,
): AgentRecord {
  return {
    id: `ag-${randomBytes(10).toString('hex')}`,
    name: `${name}@${host}`.slice(0, 200),
    owner,
    teams,
    roles: ['agent'],
    host,
    enrolledAt: at,
    revoked: null,
  };
}

/** The refresh secret behind a hash that the client chose: `sha256:<hex>`. */
export function refreshSecret(refreshHash: string, now: number) {
  return {
    hash: refreshHash.replace(/^sha256:/, ''),
    issuedAt: new Date(now).toISOString(),
    expiresAt: new Date(now + REFRESH_MS).toISOString(),
  };
}

/** Lets the agent in for an hour, and says who it is now. */
export async function issueAccess(
  tx: Pick<ControlPorts, 'tokens' | 'identities'>,
  { organisation, clock }: Pick<ControlPlane, 'organisation' | 'clock'>,
  agent: AgentRecord,
): Promise<AgentIdentity> {
  const now = clock.now();
  const { id, token, secretHash } = newCredential('wsa');
  const expiresAt = new Date(now + ACCESS_MS).toISOString();
  await tx.tokens.add({
    id,
    kind: 'access',
    name: agent.name,
    secretHash,
    principal: { id: agent.id, kind: 'agent' },
    teams: [],
    roles: [],
    scopes: ['*'],
    createdBy: agent.id,
    createdAt: new Date(now).toISOString(),
    expiresAt,
    revokedAt: null,
    lastUsedAt: null,
  });
  const owner = await tx.identities.user(agent.owner);
  return {
    agent: { id: agent.id, name: agent.name },
    principal: {
      id: agent.owner,
      kind: owner === null ? 'service' : 'user',
      name: owner?.name ?? agent.owner,
      teams: agent.teams,
      roles: owner?.roles ?? [],
    },
    organisation,
    scope: scopeOf(agent.teams),
    accessToken: token,
    accessExpiresAt: expiresAt,
  };
}

/** The team that an agent of this person acts for: the one that was chosen, if it is theirs, else their first. */
export function agentTeams(owned: readonly string[], chosen: string | undefined): readonly string[] | null {
  if (chosen === undefined) return owned.slice(0, 1);
  return owned.includes(chosen) ? [chosen] : null;
}
