import { useQuery } from '@tanstack/react-query';
import { api, body } from '../../../client/api.js';
import type { operations } from '../../../client/schema.js';
import { EmptyState } from '../../../parts/empty-state.js';
import { HostileText } from '../../../parts/hostile-text.js';
import { Loading } from '../../../parts/loading.js';
import { ProblemNote } from '../../../parts/problem-note.js';
import type { Column } from '../../../parts/table/column.js';
import { VirtualTable } from '../../../parts/table/virtual-table.js';
import { type Policy, policyKey } from '../policies.js';

type Total = operations['shadowTotals']['responses'][200]['content']['application/json']['items'][number];

const COLUMNS: readonly Column<Total>[] = [
  {
    key: 'rule',
    header: 'Rule',
    width: 'minmax(8rem, 1.4fr)',
    cell: ({ rule }) => <HostileText text={rule} />,
  },
  {
    key: 'team',
    header: 'Team',
    width: 'minmax(5rem, 1fr)',
    from: 'middle',
    cell: ({ team }) => <HostileText text={team ?? '–'} />,
  },
  { key: 'tool', header: 'Tool', width: '6rem', cell: ({ tool }) => <HostileText text={tool} /> },
  {
    key: 'revision',
    header: 'Revision',
    width: '5.5rem',
    from: 'middle',
    cell: ({ revision }) => `r${revision}`,
  },
  { key: 'matched', header: 'Matched', width: '6rem', cell: ({ matched }) => matched.toLocaleString('en') },
  {
    key: 'diverged',
    header: 'Would differ',
    width: '7rem',
    cell: ({ diverged }) => <strong>{diverged.toLocaleString('en')}</strong>,
  },
];

/** Rules in shadow mode: how often they matched, and how often the verdict would have been another one. Default export for `lazy`. */
export default function ShadowTab({ policy: { id } }: { readonly policy: Policy }) {
  const totals = useQuery({
    queryKey: policyKey(id, 'shadow'),
    queryFn: ({ signal }) => body(api.GET('/v1/policies/{id}/shadow', { params: { path: { id } }, signal })),
  });
  if (totals.error !== null)
    return <ProblemNote error={totals.error} onRetry={() => void totals.refetch()} />;
  if (totals.data === undefined) return <Loading what="the counts" />;
  const { items } = totals.data;
  if (items.length === 0)
    return (
      <EmptyState icon="policies" title="No rule in shadow mode has matched">
        Set <code>mode: shadow</code> on a rule, publish, and see here what it would do.
      </EmptyState>
    );
  return (
    <VirtualTable
      label="Shadow rules"
      columns={COLUMNS}
      rows={items}
      rowKey={({ rule, revision, team, tool }) => JSON.stringify([rule, revision, team, tool])}
      openKey={null}
      more={false}
      onNearEnd={() => undefined}
    />
  );
}
