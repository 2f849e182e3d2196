import type { CallId, DecisionId, SessionId, TaskRecord } from '@wrongstack/contracts';
import { newTaskId } from '@wrongstack/contracts';

/** A task that runs. */
export function sampleTask(part: Partial<TaskRecord> = {}): TaskRecord {
  const at = '2026-01-01T00:00:00.000Z';
  return {
    id: newTaskId(),
    owner: { tenant: null, user: 'ada', session: 's-1' as SessionId },
    call: 'c-1' as CallId,
    tool: 'bash',
    title: 'npm run build',
    inputDigest: 'sha256:0',
    decision: 'd-1' as DecisionId,
    state: 'running',
    transitions: [
      { state: 'queued', at, reason: null },
      { state: 'running', at, reason: null },
    ],
    createdAt: at,
    startedAt: at,
    endedAt: null,
    exit: null,
    outputBytes: 10,
    ...part,
  };
}
