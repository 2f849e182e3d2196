export * from './container/container.js';
export * from './container/tokens.js';
export * from './disposal/disposal-scope.js';
export * from './events/event-bus.js';
export * from './events/run-events.js';
export * from './events/waiting-approvals.js';
export * from './extensions/lifecycle-registry.js';
export * from './hooks/tool-hooks.js';
export * from './hooks/with-deadline.js';
export * from './metrics/in-memory-metrics-sink.js';
export * from './metrics/noop-metrics-sink.js';
export { CountedApprovals } from './metrics/counted-approvals.js';
export { decisionLabels } from './metrics/record-decision-metrics.js';
export { recordEventMetrics } from './metrics/record-event-metrics.js';
export * from './pipeline/create-pipelines.js';
export * from './pipeline/pipeline.js';
export * from './plugin/plugin-api.js';
export * from './registry/compile-schema.js';
export * from './registry/provider-registry.js';
export * from './registry/slash-command-registry.js';
export type { StreamingTool } from './registry/streaming-tool.js';
export * from './registry/tool-registry.js';
export * from './config/config-document.js';
export * from './config/config-layer.js';
export * from './config/config-schema.js';
export * from './config/config-store.js';
export * from './config/defaults.js';
export * from './config/load-config.js';
export * from './create-kernel.js';
export type {
  CallOutcome,
  CallScope,
  EventSink,
  ExecutionLimits,
  ExecutionPorts,
} from './execution/call-scope.js';
export { denialText, sourceText } from './execution/denial-text.js';
export { tightened } from './execution/find-tool.js';
export { nearNames } from './execution/near-names.js';
export { ToolExecutor } from './execution/tool-executor.js';
export { Agent } from './loop/agent.js';
export { costOf, type PolicyBudget } from './loop/budgets.js';
export { type AllowedBudgets, hasShared, type HolderSpent, policyBudget } from './loop/policy-budget.js';
export { type RunSpent, type SharedLimit, WARN_SHARE } from './loop/shared-limit.js';
export type * from './loop/agent-options.js';
export { PathLocks, processPathLocks } from './loop/path-locks.js';
export { ReadRecords, realPathOf } from './loop/read-records.js';
export { realSleep, type Sleep } from './loop/retry.js';
export { RunContext, type RunContextOptions } from './loop/run-context.js';
export type { CallCounts, DeniedCall } from './loop/run-tally.js';
export * from './loop/system-prompt.js';
export { isBuiltInEntry } from './session/built-in-entries.js';
export { Conversation, INTERRUPTED, type PendingCall } from './session/conversation.js';
export * from './session/replay-session.js';
export * from './session/undo.js';
export { BACKGROUND_FIELD, offeredSchema } from './execution/background-input.js';
export { mayDetach } from './execution/run-detachable.js';
export { taskOwner } from './execution/queue-task.js';
export { MOST_WAIT_MS, OwnedTasks } from './tasks/own-tasks.js';
export { loggedSubagents } from './subagents/logged-subagents.js';
export type { SubagentHost } from './subagents/subagent-host.js';
