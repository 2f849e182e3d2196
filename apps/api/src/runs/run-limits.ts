import type { Config, Usage } from '@wrongstack/contracts';
import { WrongStackError } from '@wrongstack/contracts';
import type { AgentResult, PolicyBudget } from '@wrongstack/kernel';
import type { RunLimits } from '@wrongstack/contracts/wire';
import { left, type RunUsed } from './run-record.js';
import type { Spent } from './run-spending.js';

/** Where nobody says how long a run may work. */
const DEFAULT_SECONDS = 3_600;

/** What an attempt may still use up: what was asked for and what the server's own configuration allows, less what is used up. */
export interface AttemptBudget {
  readonly maxIterations: number;
  readonly maxToolCalls: number;
  readonly maxTokens: number;
  readonly maxCostUsd: number;
}

export function attemptBudget(limits: RunLimits, agent: Config['agent'], used: RunUsed): AttemptBudget {
  const least = (asked: number | null, configured: number | undefined, spent: number): number =>
    left(Math.min(asked ?? Infinity, configured ?? Infinity), spent) ?? 0;
  return {
    maxIterations: least(limits.iterations, agent.maxIterations, used.turns),
    maxToolCalls: least(limits.toolCalls, agent.maxToolCalls, used.toolCalls),
    maxTokens: least(limits.tokens, undefined, used.tokens),
    maxCostUsd: least(limits.costUsd, agent.maxCostUsd, used.costUsd ?? 0),
  };
}

/** What policies allow one run is for all of its attempts together. */
export function policyBudgetLeft(
  { maxTokens, maxToolCalls, maxCostUsd, shared }: PolicyBudget,
  used: RunUsed,
): PolicyBudget {
  return {
    ...(shared === undefined ? {} : { shared }),
    maxTokens: left(maxTokens, used.tokens) ?? undefined,
    maxToolCalls: left(maxToolCalls, used.toolCalls) ?? undefined,
    maxCostUsd: left(maxCostUsd, used.costUsd ?? 0) ?? undefined,
  };
}

export function secondsLeft(limits: RunLimits, used: RunUsed): number {
  return Math.max(0, (limits.seconds ?? DEFAULT_SECONDS) - used.ms / 1000);
}

/** A limit in dollars that nobody can count is none: the run does not begin. */
export function requirePrice({ prices, provider, agent }: Config, limits: RunLimits): void {
  const most = limits.costUsd ?? agent.maxCostUsd;
  if (most === undefined || Object.hasOwn(prices, provider.model)) return;
  throw new WrongStackError(
    'run.no_price',
    `the cost of ${provider.model} is not known, so a limit of $${most} cannot be kept`,
    { hint: `add it to prices in the server's config.json, or leave limits.costUsd out` },
  );
}

export function tokensOf(usage: Usage): number {
  return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}

/** All that an attempt used up. */
export function spentIn({ usage, costUsd, calls }: Pick<AgentResult, 'usage' | 'costUsd' | 'calls'>): Spent {
  return { tokens: tokensOf(usage), costUsd: costUsd ?? 0, toolCalls: calls.total };
}
