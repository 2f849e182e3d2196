import type { ControlPorts, PolicyRevision, Rollout } from '@wrongstack/contracts/control';
import { preconditionFailed } from '../http/entity-tag.js';
import { unknownRevision } from './unknown-policy.js';

/** A rollout that leaves nobody out. */
export const EVERYBODY: Rollout = { teams: [], percent: 100, salt: '' };

/**
 * From now on clients enforce this revision: those in its rollout (`staged`), or all, and then the one before it is superseded. Raises the
 * bundle revision, in the same transaction.
 */
export async function putInForce(
  tx: ControlPorts,
  revision: PolicyRevision,
  staged: boolean,
  approver: string | null,
  at: string,
): Promise<PolicyRevision> {
  await supersedeOthers(tx, revision, staged, at);
  await change(tx, revision, {
    state: staged ? 'staged' : 'active',
    rollout: staged ? revision.rollout : EVERYBODY,
    approver: approver ?? revision.approver,
    because: null,
    changedAt: at,
  });
  await tx.bundleRevision.raise();
  return current(tx, revision);
}

/** Changes a revision under the tag that was read; throws a 412 problem where somebody was quicker. */
export async function change(
  tx: Pick<ControlPorts, 'policies'>,
  { policy, number, etag }: PolicyRevision,
  to: Pick<PolicyRevision, 'state' | 'rollout' | 'approver' | 'because' | 'changedAt'>,
): Promise<void> {
  const outcome = await tx.policies.changeRevision(policy, number, to, etag);
  if (!outcome.ok) throw preconditionFailed(`revision ${number} of ${policy}`, outcome.current?.etag ?? 0);
}

export async function current(
  tx: Pick<ControlPorts, 'policies'>,
  { policy, number }: Pick<PolicyRevision, 'policy' | 'number'>,
): Promise<PolicyRevision> {
  const found = await tx.policies.revision(policy, number);
  if (found === null) throw unknownRevision();
  return found;
}

/** A new rollout ends the one that was under way; a revision for all ends what was for all. */
async function supersedeOthers(
  tx: ControlPorts,
  { policy, number }: PolicyRevision,
  staged: boolean,
  at: string,
): Promise<void> {
  const live = (await tx.policies.liveRevisions()).filter(
    (one) => one.policy === policy && one.number !== number,
  );
  for (const other of live) {
    if (staged && other.state === 'active') continue;
    const { rollout, approver } = other;
    const because = `revision ${number} took its place`;
    await change(tx, other, { state: 'superseded', rollout, approver, because, changedAt: at });
  }
}
