import type { PolicyBudget } from './budgets.js';
import type { RunSpent, SharedLimit } from './shared-limit.js';

/** What each of several policies allows one run. */
export interface AllowedSpending {
  readonly tokens?: number;
  readonly costUsd?: number;
  readonly toolCalls?: number;
}

/** All of them must hold, so the least of each counts. */
export function leastBudget(allowed: readonly AllowedSpending[]): PolicyBudget {
  const least = (key: keyof AllowedSpending): number | undefined => {
    const all = allowed.flatMap((budget) => budget[key] ?? []);
    return all.length === 0 ? undefined : Math.min(...all);
  };
  return { maxTokens: least('tokens'), maxCostUsd: least('costUsd'), maxToolCalls: least('toolCalls') };
}

/** What somebody used up in the UTC day and month that it is. */
export interface HolderSpent {
  readonly name: string;
  readonly day: RunSpent;
  readonly month: RunSpent;
}

export interface AllowedBudget extends AllowedSpending {
  readonly per?: 'run' | 'day' | 'month';
}

export type BudgetScope = 'run' | SharedLimit['scope'];

/** The budgets of policies by whom they are about, as the locks have them. */
export type AllowedBudgets = Readonly<Record<BudgetScope, readonly AllowedBudget[]>>;

/** Whether anybody beside the run itself must be looked at. */
export function hasShared({ user, team }: AllowedBudgets): boolean {
  return [...user, ...team].some(({ per }) => per !== 'run');
}

/**
 * What policies allow a run. A budget of a user or a team that names no period is one of a month, the longest there is; one `per: run`
 * is one of each of their runs. `team` null = the person belongs to none, or to one that nobody knows: then it is about them alone.
 */
export function policyBudget(
  allowed: AllowedBudgets,
  user: HolderSpent | null,
  team: HolderSpent | null,
): PolicyBudget {
  const perRun = [...allowed.user, ...allowed.team].filter(({ per }) => per === 'run');
  const run = leastBudget([...allowed.run, ...perRun]);
  if (user === null) return run;
  return {
    ...run,
    shared: [...limitsOf('user', allowed.user, user), ...limitsOf('team', allowed.team, team ?? user)],
  };
}

function limitsOf(
  scope: SharedLimit['scope'],
  allowed: readonly AllowedBudget[],
  { name, ...spent }: HolderSpent,
): readonly SharedLimit[] {
  return allowed.flatMap(({ per = 'month', tokens, costUsd, toolCalls }) => {
    if (per === 'run') return [];
    const { [per]: used } = spent;
    const one = (limit: SharedLimit['limit'], most: number | undefined, amount: number) =>
      most === undefined ? [] : [{ scope, name, per, limit, most, used: amount }];
    return [
      ...one('tokens', tokens, used.tokens),
      ...one('cost', costUsd, used.costUsd),
      ...one('tool_calls', toolCalls, used.toolCalls),
    ];
  });
}
