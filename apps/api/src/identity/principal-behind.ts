import type { TokenRecord } from '@wrongstack/contracts/control';
import type { Principal, Role } from '../auth/principal.js';
import type { ControlPlane } from '../control/control-plane.js';

/** What of a token says whom it stands for. */
export type StandsFor = Pick<TokenRecord, 'id' | 'kind' | 'principal' | 'teams' | 'roles' | 'scopes'>;

/** Whom a token stands for, as the store knows them now; null where they have been let go. */
export async function principalBehind(
  { store, organisation: org }: Pick<ControlPlane, 'store' | 'organisation'>,
  token: StandsFor,
): Promise<Principal | null> {
  const scopes = token.scopes.includes('*') ? null : token.scopes;
  const credential = { kind: token.kind === 'api' ? 'token' : 'agent', id: token.id } as const;
  const { id, kind } = token.principal;
  switch (kind) {
    case 'service':
      return { id, kind, org, user: id, teams: token.teams, roles: token.roles, scopes, credential };
    case 'user': {
      const user = await store.identities.user(id);
      if (user === null || user.disabledAt !== null) return null;
      return { id, kind, org, user: id, teams: user.teams, roles: user.roles, scopes, credential };
    }
    case 'agent': {
      const agent = await store.agents.get(id);
      if (agent === null || agent.revoked !== null) return null;
      // Whoever was let go takes their agents with them.
      const owner = await store.identities.user(agent.owner);
      if (owner !== null && owner.disabledAt !== null) return null;
      return {
        id,
        kind,
        org,
        user: agent.owner,
        teams: agent.teams,
        roles: rolesOf(agent.roles, owner?.roles ?? []),
        scopes,
        credential,
      };
    }
  }
}

/**
 * An agent's own, and its owner's as they are now, since it also carries the commands that a person types. Never `admin`: who may do what
 * is changed with a token of one's own, not from a machine on which a model works.
 */
function rolesOf(own: readonly Role[], owners: readonly Role[]): readonly Role[] {
  return [...new Set([...own, ...owners.filter((role) => role !== 'admin')])];
}
