import { HostileText } from '../../parts/hostile-text.js';
import { RelativeTime } from '../../parts/relative-time.js';
import type { Column } from '../../parts/table/column.js';
import { Badge } from '../../parts/verdict-badge.js';
import { driftWord, type Machine } from './fleet.js';

export const MACHINE_COLUMNS: readonly Column<Machine>[] = [
  {
    key: 'name',
    header: 'Machine',
    width: 'minmax(8rem, 1.4fr)',
    cell: ({ name, agent }) => <HostileText text={name ?? agent} />,
  },
  {
    key: 'owner',
    header: 'Owner',
    width: 'minmax(6rem, 1fr)',
    from: 'middle',
    cell: ({ owner }) => <HostileText text={owner ?? '–'} />,
  },
  {
    key: 'team',
    header: 'Team',
    width: 'minmax(5rem, 0.8fr)',
    from: 'wide',
    cell: ({ team }) => <HostileText text={team ?? '–'} />,
  },
  {
    key: 'version',
    header: 'Version',
    width: '5.5rem',
    from: 'wide',
    cell: ({ version }) => <HostileText text={version} />,
  },
  {
    key: 'bundle',
    header: 'Revision',
    width: '5rem',
    from: 'middle',
    cell: ({ bundle }) => (bundle === null ? 'none' : `r${bundle.revision}`),
  },
  {
    key: 'drift',
    header: 'State',
    width: 'minmax(8rem, 1.2fr)',
    cell: ({ drift, policyState }) =>
      drift.length === 0 ? (
        <Badge tone="allow" mark="check">
          {policyState}
        </Badge>
      ) : (
        <Badge tone={drift.includes('refused') ? 'deny' : 'confirm'} mark="alert">
          {drift.map(driftWord).join(', ')}
        </Badge>
      ),
  },
  {
    key: 'at',
    header: 'Last word',
    width: '8rem',
    from: 'middle',
    cell: ({ at }) => <RelativeTime at={at} />,
  },
];
