import { useLocation } from 'wouter';
import type { Verdict } from '@wrongstack/contracts';
import { HostileText } from '../../../parts/hostile-text.js';
import { Loading } from '../../../parts/loading.js';
import { ProblemNote } from '../../../parts/problem-note.js';
import { RelativeTime } from '../../../parts/relative-time.js';
import type { Column } from '../../../parts/table/column.js';
import { VirtualTable } from '../../../parts/table/virtual-table.js';
import { usePagedRows } from '../../../parts/table/use-paged-rows.js';
import { VerdictBadge } from '../../../parts/verdict-badge.js';
import { type Flip, flips as readFlips } from './replays.js';

const COLUMNS: readonly Column<Flip>[] = [
  { key: 'tool', header: 'Tool', width: '6rem', cell: ({ tool }) => <HostileText text={tool} /> },
  {
    key: 'before',
    header: 'Then',
    width: '7.5rem',
    cell: ({ before }) => <VerdictBadge verdict={before as Verdict} />,
  },
  {
    key: 'after',
    header: 'With the draft',
    width: '7.5rem',
    cell: ({ after }) => <VerdictBadge verdict={after as Verdict} />,
  },
  {
    key: 'by',
    header: 'By',
    width: 'minmax(7rem, 1fr)',
    from: 'middle',
    cell: ({ by }) => <HostileText text={by} />,
  },
  {
    key: 'actor',
    header: 'Who',
    width: 'minmax(6rem, 1fr)',
    from: 'middle',
    cell: ({ actor, team }) => (
      <HostileText text={`${actor ?? 'alert'}${team === null ? '' : ` (${team})`}`} />
    ),
  },
  { key: 'at', header: 'When', width: '8.5rem', from: 'wide', cell: ({ at }) => <RelativeTime at={at} /> },
];

interface Props {
  readonly replay: string;
  /** How many there are by now: more of them are read when more were found. */
  readonly flips: number;
  readonly team: string | null;
}

/** The calls that come out otherwise; each leads to its record in the audit log. */
export function FlipTable({ replay, flips, team }: Props) {
  const [, go] = useLocation();
  const list = usePagedRows<Flip>(['replays', replay, 'flips', team, flips], (cursor, signal) =>
    readFlips(replay, team, cursor, signal),
  );
  if (list.error !== null) return <ProblemNote error={list.error} onRetry={list.again} />;
  if (list.loading) return <Loading what="the calls" />;
  return (
    <VirtualTable
      label="Calls that come out otherwise"
      columns={COLUMNS}
      rows={list.rows}
      rowKey={({ seq }) => String(seq)}
      openKey={null}
      onOpen={({ seq }) => go(`/audit?record=${seq}`)}
      more={list.more}
      onNearEnd={list.onNearEnd}
    />
  );
}
