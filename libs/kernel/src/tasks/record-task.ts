import { isoNow } from '@wrongstack/contracts';
import type { TaskExit, TaskJob } from '@wrongstack/contracts';
import type { ExecutionPorts } from '../execution/call-scope.js';

/** Metrics and the audit log's outcome of a task; its decision is on record since before it was queued. */
export async function recordTask(
  ports: Pick<ExecutionPorts, 'metrics' | 'audit' | 'clock' | 'log'>,
  job: TaskJob,
  exit: TaskExit,
  durationMs: number,
): Promise<void> {
  ports.metrics.counter('wrongstack_tasks_total', 1, { tool: job.tool, state: exit.state });
  try {
    await ports.audit.append({
      kind: 'outcome',
      ts: isoNow(ports.clock),
      session: job.owner.session,
      run: job.run,
      call: job.call,
      data: { tool: job.tool, task: job.id, status: exit.state, durationMs },
    });
  } catch {
    ports.metrics.counter('wrongstack_audit_gaps_total', 1);
    ports.log.error('outcome of a task was not written to the audit log', { task: job.id });
  }
}
