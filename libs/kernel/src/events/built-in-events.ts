import type { EventName } from '@wrongstack/contracts';

/** Checked both ways by the compiler: each built-in event is listed, and nothing else is. */
const BUILT_IN: Readonly<Record<EventName, true>> = {
  'run.started': true,
  'run.finished': true,
  'iteration.started': true,
  'message.delta': true,
  'message.completed': true,
  'tool.requested': true,
  'tool.decided': true,
  'approval.waiting': true,
  'approval.resolved': true,
  'tool.started': true,
  'tool.progress': true,
  'tool.executed': true,
  'tool.parked': true,
  'tool.loop_detected': true,
  'tool.registered': true,
  'tool.unregistered': true,
  'tool/call': true,
  'tool/result': true,
  'task.changed': true,
  'policy.changed': true,
  'model.retry': true,
  'context.compacted': true,
  'pipeline.failed': true,
  'hook.failed': true,
  'config.changed': true,
  error: true,
};

export function isBuiltInEvent(name: string): name is EventName {
  return Object.hasOwn(BUILT_IN, name);
}
