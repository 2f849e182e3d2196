import { abilitiesOf } from '../auth/compile-ability.js';
import type { Principal } from '../auth/principal.js';
import type { ControlPlane } from '../control/control-plane.js';
import { principalBehind } from '../identity/principal-behind.js';

/** Whoever started a run, as they are now; or why they may have no runs any more. */
export type Acting = { readonly principal: Principal } | { readonly gone: string };

/**
 * Asked when a run begins, when it goes on, and while it works. A token that has only expired meanwhile ends no run; one that was revoked
 * does, and so does whoever was disabled, or lost the role. What an identity provider once said about groups cannot be asked again.
 */
export async function stillActing(
  control: Pick<ControlPlane, 'store' | 'organisation'>,
  by: Principal,
): Promise<Acting> {
  const { kind, id } = by.credential;
  if (kind === 'token') {
    const token = await control.store.tokens.get(id);
    if (token !== null && token.revokedAt !== null)
      return { gone: `the token that started it was revoked at ${token.revokedAt}` };
  }
  const principal = await presentOf(control, by);
  if (principal === null) return { gone: `${by.kind} ${by.id} has been let go` };
  if (!abilitiesOf(principal).may('create', 'Run', { owner: principal.user }))
    return { gone: `${by.user} may have no runs any more` };
  return { principal };
}

async function presentOf(
  control: Pick<ControlPlane, 'store' | 'organisation'>,
  by: Principal,
): Promise<Principal | null> {
  const { kind, id } = by.credential;
  switch (kind) {
    case 'static':
      return by;
    case 'oidc':
    case 'session': {
      const user = await control.store.identities.user(by.user);
      if (user === null || user.disabledAt !== null) return null;
      // Whom no identity provider knows has the roles that stand here.
      return user.subject === null ? { ...by, teams: user.teams, roles: user.roles } : by;
    }
    case 'token':
    case 'agent': {
      const { teams, roles, scopes } = by;
      return principalBehind(control, {
        id,
        kind: kind === 'token' ? 'api' : 'access',
        principal: { id: by.id, kind: by.kind },
        ...{ teams, roles, scopes: scopes ?? ['*'] },
      });
    }
  }
}
