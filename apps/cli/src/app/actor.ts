import { userInfo } from 'node:os';
import type { ActorFacts } from '@wrongstack/contracts';

/**
 * The person's own agent. Nobody vouches for a local user name, so no rule that allows by identity matches it; being
 * enrolled is what changes that.
 */
export function localActor(): ActorFacts {
  return {
    org: null,
    team: null,
    user: { name: userName(), authenticated: false },
    roles: [],
    // We are the agent, so nobody else has to vouch for its name.
    agent: { name: 'wstack', authenticated: true },
    plugin: null,
    subagentDepth: 0,
    subagent: null,
    ceiling: null,
    parent: null,
  };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without a name, as containers have.
    return String(process.getuid?.() ?? 'unknown');
  }
}
