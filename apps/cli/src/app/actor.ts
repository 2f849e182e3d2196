import { userInfo } from 'node:os';
import type { ActorFacts } from '@wrongstack/contracts';
import type { Host } from './host.js';

/**
 * The person's own agent. Nobody vouches for a local user name, so no rule that allows by identity matches it; the server
 * vouches for whoever is signed in.
 */
export function localActor(host?: Pick<Host, 'centre'>): ActorFacts {
  const identity = host?.centre?.identity ?? null;
  const vouched = (name: string) => ({ name, authenticated: true });
  const [team = null] = identity === null ? [] : teamsOf(identity);
  return {
    org: identity === null ? null : vouched(identity.organisation),
    team: team === null ? null : vouched(team),
    user: identity === null ? { name: userName(), authenticated: false } : vouched(identity.principal.name),
    roles: identity?.principal.roles.map(vouched) ?? [],
    // We are the agent, so nobody else has to vouch for its name.
    agent: { name: 'wstack', authenticated: true },
    plugin: null,
    subagentDepth: 0,
    subagent: null,
    ceiling: null,
    parent: null,
  };
}

/** The team whose bundle it is comes first. */
function teamsOf({
  scope,
  principal,
}: {
  readonly scope: string;
  readonly principal: { readonly teams: readonly string[] };
}): readonly string[] {
  const own = scope.startsWith('team:') ? [scope.slice('team:'.length)] : [];
  return [...own, ...principal.teams];
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without a name, as containers have.
    return String(process.getuid?.() ?? 'unknown');
  }
}
