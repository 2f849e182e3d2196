import type { VerifiedAgent } from '@wrongstack/adapters/control';
import type { Admission, Refusal } from '@wrongstack/mcp/server';
import type { Centre } from '../app/centre.js';
import type { Host } from '../app/host.js';

/**
 * Lets in whoever presents the bearer of an enrolled agent: one of the person who is signed in here, whose rights on this machine its
 * calls use, or one that was named (`--agent`). Undefined where nobody is signed in: then no bearer can be asked about.
 */
export function agentAdmission(
  { centre }: Pick<Host, 'centre'>,
  named: readonly string[],
): ((bearer: string) => Promise<Admission<VerifiedAgent>>) | undefined {
  if (centre === null || centre.identity === null) return undefined;
  const { identity } = centre;
  return async (bearer) => {
    const owner = await centre.bearers.ownerOf(bearer);
    switch (owner.kind) {
      case 'agent': {
        const { agent } = owner;
        return strangeness(agent, identity, named) ?? { agent, subject: subjectOf(agent) };
      }
      case 'no-agent':
        return refused(403, 'this bearer is no agent’s: enrol one, and issue a token for it');
      case 'unknown':
        return refused(401, 'this bearer is no token of the server, or it has ended');
    }
  };
}

/** Why this agent has nothing to do here; null = it has. */
function strangeness(
  { id, organisation, scope, principal }: VerifiedAgent,
  here: NonNullable<Centre['identity']>,
  named: readonly string[],
): Refusal | null {
  if (organisation !== here.organisation || scope !== here.scope)
    return refused(
      403,
      `agent ${id} is bound by the policies of ${scope}, and this machine has ${here.scope}`,
    );
  if (principal.id !== here.principal.id && !named.includes(id))
    return refused(403, `agent ${id} belongs to somebody else: let it in with --agent ${id}`);
  return null;
}

/** All that rules may look at: a session ends when any of it changes. */
function subjectOf({ id, organisation, scope, principal }: VerifiedAgent): string {
  const { id: user, name, teams, roles } = principal;
  return JSON.stringify([id, organisation, scope, user, name, teams, roles]);
}

function refused(status: Refusal['status'], message: string): Refusal {
  return { status, message };
}
