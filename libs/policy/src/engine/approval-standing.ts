import {
  deepFreeze,
  digestOf,
  type Approval,
  type ApproversNeeded,
  type Decision,
} from '@wrongstack/contracts';
import { whatChanged, type ApprovalParts } from './approval-parts.js';

/**
 * The call is still the one that was agreed to. Does the policy, which may have changed, ask for more than was given? The
 * channel does not count here: an approval that was given at a terminal travels with a task to its worker.
 */
export function approvalStands(fresh: Decision, decided: Decision, approval: Approval): Decision {
  const missing = whatIsMissing(fresh, decided, approval);
  if (missing !== null) return withReason(fresh, `the approval no longer suffices: ${missing}`);
  const names = approval.by.length === 0 ? 'the person at the keyboard' : approval.by.join(', ');
  return deepFreeze<Decision>({
    ...fresh,
    verdict: 'allow',
    by: { kind: 'user', id: names },
    because: `approved by ${names}`,
    instead: null,
  });
}

/** The call is not the one that was agreed to. */
export function voided(
  fresh: Decision,
  before: ApprovalParts | undefined,
  after: ApprovalParts | null,
): Decision {
  const changed = before === undefined || after === null ? null : whatChanged(before, after);
  return withReason(fresh, `the approval is void: ${changed ?? 'it was given to another call'}`);
}

function withReason(fresh: Decision, because: string): Decision {
  return deepFreeze<Decision>({
    ...fresh,
    by: { kind: 'floor', id: 'approval-void' },
    because,
    instead: 'ask again',
  });
}

function whatIsMissing(fresh: Decision, decided: Decision, approval: Approval): string | null {
  if (fresh.demanded === 'confirm') return null;
  if (fresh.demanded !== 'approve') return `policy now says ${fresh.demanded}`;
  if (approval.given !== 'approve') return 'policy now asks other people';
  // Where the channel denies (a worker without one), nobody is named: then the very same policy must still be in force.
  if (fresh.approvers === null) return samePolicy(fresh, decided) ? null : 'the policy has changed';
  return missingApprovers(fresh.approvers, decided.approvers, approval);
}

function missingApprovers(
  now: ApproversNeeded,
  then: ApproversNeeded | null,
  approval: Approval,
): string | null {
  const given = new Set(approval.by).size;
  if (given < now.count) return `${given} of ${now.count} have said yes`;
  // Groups have members that are not known here: a yes counts only where the same groups are asked.
  const groups = (needed: ApproversNeeded | null) => [...(needed?.from ?? [])].sort().join(', ');
  if (groups(now) !== groups(then)) return `policy now asks ${groups(now)}`;
  return now.excludeRequester && then?.excludeRequester !== true
    ? 'the requester may no longer say yes'
    : null;
}

function samePolicy(a: Decision, b: Decision): boolean {
  return (
    digestOf([a.policy.id, a.policy.revision, a.by]) === digestOf([b.policy.id, b.policy.revision, b.by])
  );
}
