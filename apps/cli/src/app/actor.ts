import { userInfo } from 'node:os';
import { type ActorFacts, NOBODY } from '@wrongstack/contracts';
import type { Host } from './host.js';

/** What a control plane says about somebody. */
interface Vouched {
  readonly organisation: string;
  readonly scope: string;
  readonly principal: {
    readonly name: string;
    readonly teams: readonly string[];
    readonly roles: readonly string[];
  };
}

/**
 * The person's own agent. Nobody vouches for a local user name, so no rule that allows by identity matches it; the server
 * vouches for whoever is signed in.
 */
export function localActor(host?: Pick<Host, 'centre'>): ActorFacts {
  // We are the agent, so nobody else has to vouch for its name.
  const agent = { name: 'wstack', authenticated: true };
  const identity = host?.centre?.identity ?? null;
  if (identity !== null) return { ...vouchedActor(identity), agent };
  return { ...NOBODY, user: { name: userName(), authenticated: false }, agent };
}

/** Somebody for whom the control plane vouches; which agent acts for them is another question. */
export function vouchedActor(identity: Vouched): ActorFacts {
  const vouched = (name: string) => ({ name, authenticated: true });
  const [team = null] = teamsOf(identity);
  return {
    ...NOBODY,
    org: vouched(identity.organisation),
    team: team === null ? null : vouched(team),
    user: vouched(identity.principal.name),
    roles: identity.principal.roles.map(vouched),
  };
}

/** The team whose bundle it is comes first. */
function teamsOf({ scope, principal }: Vouched): readonly string[] {
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
