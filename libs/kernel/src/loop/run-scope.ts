import type { CallScope } from '../execution/call-scope.js';
import { runSubagent } from '../subagents/run-subagent.js';
import { SubagentNames } from '../subagents/subagent-names.js';
import type { AgentLoopParts } from './agent-loop.js';
import { aroundInner } from './around-inner.js';
import type { Budgets } from './budgets.js';
import type { RunTally } from './run-tally.js';

/** The scope of a run's calls, with what tools may start on its behalf: further calls and subagents, both on its account. */
export function runScope(parts: AgentLoopParts, budgets: Budgets, tally: RunTally): CallScope {
  const { ports, options, context, scope, append } = parts;
  const inner = { ...scope, aroundInner: aroundInner(ports, context, budgets, tally) };
  const host = options.subagents;
  if (host === undefined) return inner;
  const parent = {
    ports,
    options,
    host,
    origin: scope.origin,
    names: new SubagentNames(),
    budgets,
    tally,
    append,
    takenCallIds: () => takenIds(parts),
  };
  return { ...inner, subagents: (call, task, signal) => runSubagent(parent, call, task, signal) };
}

/** Ids that a new call must not have: events and results of two calls would be taken for one another. */
export function takenIds({
  conversation,
  options,
}: Pick<AgentLoopParts, 'conversation' | 'options'>): ReadonlySet<string> {
  return new Set([...conversation.callIds, ...(options.takenCallIds?.() ?? [])]);
}
