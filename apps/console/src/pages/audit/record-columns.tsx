import { HostileText } from '../../parts/hostile-text.js';
import type { Column } from '../../parts/table/column.js';
import { Badge, VerdictBadge } from '../../parts/verdict-badge.js';
import type { AuditRow } from './audit.js';
import classes from './record-columns.module.css';

const TIME = new Intl.DateTimeFormat(undefined, {
  day: '2-digit',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

export const RECORD_COLUMNS: readonly Column<AuditRow>[] = [
  {
    key: 'at',
    header: 'Time',
    width: '8.5rem',
    from: 'middle',
    cell: ({ at }) => (
      <time dateTime={at} className={classes['time']}>
        {TIME.format(new Date(at))}
      </time>
    ),
  },
  {
    key: 'verdict',
    header: 'Verdict',
    width: '6.4rem',
    cell: ({ verdict, kind }) =>
      verdict === null ? <Badge tone="quiet">{kind}</Badge> : <VerdictBadge verdict={verdict} />,
  },
  {
    key: 'actor',
    header: 'Who',
    width: 'minmax(4.5rem, 0.5fr)',
    from: 'middle',
    cell: ({ actor }) => <HostileText text={actor ?? ''} />,
  },
  {
    key: 'tool',
    header: 'Tool',
    width: 'minmax(4rem, 0.4fr)',
    from: 'middle',
    cell: ({ tool }) => <HostileText text={tool ?? ''} />,
  },
  {
    key: 'what',
    header: 'What',
    width: 'minmax(6rem, 2fr)',
    cell: ({ summary, actor, flagged }) => (
      <span className={classes['what']}>
        <span className={classes['who']}>
          <HostileText text={actor ?? ''} />{' '}
        </span>
        {flagged ? (
          <Badge tone="deny" mark="alert">
            flagged
          </Badge>
        ) : null}
        <HostileText text={summary} />
      </span>
    ),
  },
  {
    key: 'rule',
    header: 'Rule',
    width: 'minmax(6rem, 0.9fr)',
    from: 'wide',
    cell: ({ rule }) => (rule === null ? '' : <HostileText text={rule} />),
  },
  {
    key: 'seq',
    header: 'Record',
    width: '5rem',
    from: 'wide',
    cell: ({ seq }) => <span className={classes['time']}>{seq}</span>,
  },
];
