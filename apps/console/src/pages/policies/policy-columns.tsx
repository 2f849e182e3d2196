import { HostileText } from '../../parts/hostile-text.js';
import { RelativeTime } from '../../parts/relative-time.js';
import type { Column } from '../../parts/table/column.js';
import { Badge } from '../../parts/verdict-badge.js';
import type { Policy } from './policies.js';

export function scopeText({ tier, ref }: Pick<Policy, 'tier' | 'ref'>): string {
  if (tier === 'team') return `team ${ref ?? 'alert'}`;
  return tier === 'org' ? 'organisation' : 'default of the organisation';
}

export const POLICY_COLUMNS: readonly Column<Policy>[] = [
  {
    key: 'id',
    header: 'Policy',
    width: 'minmax(9rem, 1.4fr)',
    cell: ({ id }) => <HostileText text={id} />,
  },
  {
    key: 'scope',
    header: 'Scope',
    width: 'minmax(8rem, 1fr)',
    from: 'middle',
    cell: (policy) => <HostileText text={scopeText(policy)} />,
  },
  {
    key: 'coverage',
    header: 'Holds',
    width: 'minmax(9rem, 1fr)',
    from: 'wide',
    cell: ({ coverage: { rules, tests, agents } }) => `${rules} rules, ${tests} tests, ${agents} agents`,
  },
  {
    key: 'revision',
    header: 'In force',
    width: '6rem',
    cell: ({ activeRevision }) => (activeRevision === null ? 'nothing' : `r${activeRevision}`),
  },
  {
    key: 'state',
    header: 'Under way',
    width: 'minmax(8rem, 1fr)',
    cell: (policy) => <UnderWayBadge {...policy} />,
  },
  {
    key: 'changed',
    header: 'Last change',
    width: 'minmax(9rem, 1fr)',
    from: 'middle',
    cell: ({ updatedAt, updatedBy }) => (
      <span>
        <RelativeTime at={updatedAt} /> by <HostileText text={updatedBy} />
      </span>
    ),
  },
];

/** The furthest that something has got which is not in force for everybody. */
function UnderWayBadge({ awaiting, staged, draft }: Pick<Policy, 'awaiting' | 'staged' | 'draft'>) {
  if (awaiting !== null) return <Badge tone="approve" mark="pause">{`r${awaiting} awaits review`}</Badge>;
  if (staged !== null) return <Badge tone="confirm" mark="clock">{`r${staged} staged`}</Badge>;
  if (draft === null) return <span>–</span>;
  return (
    <Badge tone="confirm" mark="policies">
      draft
    </Badge>
  );
}
