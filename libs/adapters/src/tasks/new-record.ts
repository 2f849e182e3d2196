import type { NewTask, TaskFilter, TaskRecord } from '@wrongstack/contracts';

/** What is known of a task as it is queued. */
export function newRecord({ job, title, inputDigest }: NewTask, now: string): TaskRecord {
  return {
    id: job.id,
    owner: job.owner,
    call: job.call,
    tool: job.tool,
    title,
    inputDigest,
    decision: job.decision.id,
    state: 'queued',
    transitions: [{ state: 'queued', at: now, reason: null }],
    createdAt: now,
    startedAt: null,
    endedAt: null,
    exit: null,
    outputBytes: 0,
  };
}

/** Whether a task is among those that a filter names. */
export function matches({ owner }: TaskRecord, filter: TaskFilter): boolean {
  return (
    (filter.tenant === undefined || owner.tenant === filter.tenant) &&
    (filter.user === undefined || owner.user === filter.user) &&
    (filter.session === undefined || owner.session === filter.session)
  );
}
