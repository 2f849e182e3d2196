import { count } from '../../parts/amounts.js';
import { BarList } from '../../parts/bar-list.js';
import { Card } from '../../parts/card.js';
import { MoreLink } from '../../parts/more-link.js';
import { ApprovalStateBadge } from '../../parts/verdict-badge.js';
import type { CardProps } from './sources.js';
import { Nothing } from './nothing.js';

const STATES = ['pending', 'approved', 'used', 'rejected', 'expired', 'withdrawn'] as const;

/** How requests to people ended, of all that were ever made: what waits has no date. */
export function ApprovalsCard({ overview: { approvals }, sources }: CardProps) {
  const known = STATES.map((state) => ({ state, amount: approvals[state] ?? 0 })).filter(
    ({ amount }) => amount > 0,
  );
  return (
    <Card title="Approvals so far" badge={<MoreLink href={sources.approvals('all')}>All requests</MoreLink>}>
      {known.length === 0 ? (
        <Nothing>No call was sent to people yet: a rule with the effect approve does so.</Nothing>
      ) : (
        <BarList
          label="Approvals by how they ended"
          tone="quiet"
          bars={known.map(({ state, amount }) => ({
            key: state,
            label: <ApprovalStateBadge state={state} />,
            value: amount,
            text: count(amount),
            href: sources.approvals(state === 'pending' ? 'waiting' : state),
          }))}
        />
      )}
    </Card>
  );
}
