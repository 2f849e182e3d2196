import type { Disposer, MetricsSink } from '@wrongstack/contracts';
import type { ApprovalRequest } from '@wrongstack/contracts/control';
import type { ApprovalWatch } from '../approvals/approval-watch.js';

/**
 * How requests for approval end, and how long they waited. Counted where the answer is taken: whoever asked may have gone long ago, so
 * that no command line sees it. A request ends in one process, so this is summed over replicas.
 */
export function countApprovals(approvals: Pick<ApprovalWatch, 'onEnded'>, metrics: MetricsSink): Disposer {
  return approvals.onEnded(({ state, createdAt, expiresAt }: ApprovalRequest) => {
    if (state.is === 'pending') return;
    const outcome = state.is;
    metrics.counter('wrongstack_fleet_approvals_total', 1, { outcome });
    // It is written down a little later that a request has run out.
    const end = outcome === 'expired' ? expiresAt : state.at;
    const seconds = Math.max(0, Date.parse(end) - Date.parse(createdAt)) / 1000;
    metrics.histogram('wrongstack_fleet_approval_wait_seconds', seconds, { outcome });
  });
}
