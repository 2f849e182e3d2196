import type { WhoAmI } from '@wrongstack/contracts/wire';
import type { Principal } from '../auth/principal.js';
import type { ControlPlane } from '../control/control-plane.js';

/** The caller, with the names that the store has for them. */
export async function whoIs(
  { store, organisation }: Pick<ControlPlane, 'store' | 'organisation'>,
  caller: Principal,
): Promise<WhoAmI> {
  const user = await store.identities.user(caller.user);
  const agent = caller.kind === 'agent' ? await store.agents.get(caller.id) : null;
  return {
    principal: {
      id: caller.user,
      kind: caller.kind === 'agent' ? 'user' : caller.kind,
      name: user?.name ?? caller.user,
      teams: caller.teams,
      roles: caller.roles,
    },
    agent: agent === null ? null : { id: agent.id, name: agent.name },
    organisation,
    scope: agent === null ? null : scopeOf(caller.teams),
  };
}

/** The bundle that somebody of these teams must enforce: a call belongs to the first. */
export function scopeOf(teams: readonly string[]): string {
  const [team] = teams;
  return team === undefined ? 'org' : `team:${team}`;
}
