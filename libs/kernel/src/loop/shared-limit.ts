import type { Limit, NearLimit } from './budgets.js';

/** What a run has used up, its subagents included. */
export interface RunSpent {
  readonly tokens: number;
  readonly costUsd: number;
  readonly toolCalls: number;
}

/** A limit that all runs of a user, or of a team, share. */
export interface SharedLimit {
  readonly scope: 'user' | 'team';
  /** Whose, for people to read. */
  readonly name: string;
  /** UTC. */
  readonly per: 'day' | 'month';
  readonly limit: 'tokens' | 'cost' | 'tool_calls';
  readonly most: number;
  /** By all of these runs, this one included, when it was looked at. */
  readonly used: number;
}

export const WARN_SHARE = 0.8;

/** A shared limit as it stands now: what this run used up since it was looked at counts as well. */
export function usedNow({ limit, used }: SharedLimit, since: RunSpent): number {
  switch (limit) {
    case 'tokens':
      return used + since.tokens;
    case 'cost':
      return used + since.costUsd;
    case 'tool_calls':
      return used + since.toolCalls;
  }
}

export function sharedExceeded(shared: SharedLimit, used: number): Limit | null {
  if (used < shared.most) return null;
  return {
    code: `budget.${shared.scope}_${shared.limit}`,
    message: `stopped: ${usedText(shared, used)}, what the policy allows`,
    hint: `it begins anew with the next ${shared.per} (UTC); only who publishes the policy can raise it`,
  };
}

export function sharedNear(shared: SharedLimit, used: number): NearLimit | null {
  if (used < shared.most * WARN_SHARE) return null;
  const hint = 'runs stop when it is used up';
  return { code: `budget.${shared.scope}_${shared.limit}_near`, message: usedText(shared, used), hint };
}

function usedText({ scope, name, per, limit, most }: SharedLimit, used: number): string {
  const amounts =
    limit === 'cost'
      ? `$${used.toFixed(2)} of $${most.toFixed(2)}`
      : `${Math.round(used)} of ${most} ${limit === 'tokens' ? 'tokens' : 'tool calls'}`;
  return `${scope} ${name} has used up ${amounts} of this ${per}`;
}
