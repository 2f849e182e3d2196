import type { Context, ToolUseBlock } from '@wrongstack/contracts';
import type { CallOutcome, CallScope } from '../execution/call-scope.js';
import { textResult } from '../execution/call-scope.js';
import type { Budgets } from './budgets.js';
import { BUDGET_USED_UP, HELD_BACK, piped } from './run-tool-calls.js';
import type { ToolCallPorts } from './run-tool-calls.js';
import type { RunTally } from './run-tally.js';

/**
 * What a run puts around the calls that its tools ask for: the same hooks, pipeline, budget and counts as around the calls
 * of the model, so that asking through a tool gets past none of them.
 */
export function aroundInner(
  ports: Pick<ToolCallPorts, 'lifecycle' | 'pipelines'>,
  context: Context,
  budgets: Budgets,
  tally: RunTally,
): NonNullable<CallScope['aroundInner']> {
  return async (use, run) => {
    const chosen = await ports.lifecycle.beforeToolExecution(context, [use]);
    const kept = chosen.find(({ id }) => id === use.id);
    if (kept === undefined) return notRun(use, HELD_BACK);
    if (budgets.callsLeft <= 0) return notRun(use, BUDGET_USED_UP);
    // Before it runs: calls that run at the same time must not all count on the same last one.
    budgets.addCalls(1);
    const outcome = await run(await piped(ports.pipelines.toolCall, kept));
    tally.add(outcome);
    await ports.lifecycle.afterToolExecution(context, [outcome.result]);
    return outcome;
  };
}

function notRun(use: ToolUseBlock, why: string): CallOutcome {
  return {
    call: use.id,
    name: use.name,
    status: 'aborted',
    result: textResult(why, true),
    decision: null,
    truncated: false,
    spill: null,
    files: [],
    approval: null,
    task: null,
  };
}
