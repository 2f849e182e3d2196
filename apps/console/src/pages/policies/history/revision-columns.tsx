import { HostileText } from '../../../parts/hostile-text.js';
import { RelativeTime } from '../../../parts/relative-time.js';
import type { Column } from '../../../parts/table/column.js';
import type { Revision } from '../policies.js';
import { RevisionStateBadge } from '../publish/revision-state.js';

export const REVISION_COLUMNS: readonly Column<Revision>[] = [
  { key: 'revision', header: 'Revision', width: '5.5rem', cell: ({ revision }) => `r${revision}` },
  {
    key: 'state',
    header: 'State',
    width: '8rem',
    cell: ({ state }) => <RevisionStateBadge state={state} />,
  },
  {
    key: 'note',
    header: 'Note',
    width: 'minmax(8rem, 2fr)',
    cell: ({ note, kind }) => <HostileText text={note ?? (kind === 'rollback' ? 'a way back' : '–')} />,
  },
  {
    key: 'author',
    header: 'By',
    width: 'minmax(6rem, 1fr)',
    from: 'middle',
    cell: ({ author }) => <HostileText text={author} />,
  },
  {
    key: 'approver',
    header: 'Reviewed by',
    width: 'minmax(6rem, 1fr)',
    from: 'wide',
    cell: ({ approver }) => <HostileText text={approver ?? '–'} />,
  },
  {
    key: 'at',
    header: 'When',
    width: '8.5rem',
    from: 'middle',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
];
