import type { AgentLoopParts } from './agent-loop.js';
import type { Budgets, Limit } from './budgets.js';

/**
 * Before each model request: what policies allow now, what is near its end, and what stops the run. Throws where that cannot be
 * known (`budget.unknown`): a limit that nobody can look at is no missing one.
 */
export async function askBudgets(
  { ports, options, scope }: Pick<AgentLoopParts, 'ports' | 'options' | 'scope'>,
  budgets: Budgets,
): Promise<Limit | null> {
  budgets.tighten((await options.policyBudget?.(budgets.spent, scope.origin.run)) ?? {});
  for (const { scope: whose, limit, ratio } of budgets.ratios())
    ports.metrics.gauge('wrongstack_budget_used_ratio', ratio, { scope: whose, limit });
  const exceeded = budgets.exceeded();
  if (exceeded !== null) return exceeded;
  for (const near of budgets.near()) ports.events.emit('error', { ...near, fatal: false });
  return null;
}
