import type { ApprovalId } from '@wrongstack/contracts';
import { WaitingApprovals } from '@wrongstack/kernel';
import type { Centre } from './centre.js';
import type { Host } from './host.js';

/** Says on the event bus what the control plane brings beside the work: another policy state, another yes. */
export function announceCentre({ kernel, policy, request }: Host, centre: Centre): void {
  let known: string | null = null;
  const announce = async (): Promise<void> => {
    const { staleGraceHours } = await policy.locks(request.projectRoot);
    const { state, ageSeconds } = await centre.report(staleGraceHours);
    const revision = centre.policy.bundle?.revision ?? null;
    const now = `${state} ${revision ?? ''}`;
    const before = known;
    known = now;
    if (before === null ? state === 'fresh' : before === now) return;
    kernel.events.emit('policy.changed', { state, revision, ageSeconds });
  };
  // Events never decide; one that cannot be made is not worth a crash.
  centre.onChange = () => void announce().catch(() => undefined);

  for (const name of ['message.completed', 'tool.executed'] as const)
    kernel.events.on(name, () => centre.noteUse());

  const waiting = new WaitingApprovals(kernel.events);
  centre.onApproval = ({ call }, { id, need, have, expiresAt }) =>
    // The server's own id: what `wstack approvals show` takes.
    waiting.announce(call.id, { approval: id as ApprovalId, need, have, expiresAt });
}
