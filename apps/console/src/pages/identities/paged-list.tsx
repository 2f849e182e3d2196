import type { ReactNode } from 'react';
import { EmptyState } from '../../parts/empty-state.js';
import { Loading } from '../../parts/loading.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { type Column, VirtualTable } from '../../parts/table/virtual-table.js';
import type { PagedRows } from '../../parts/table/use-paged-rows.js';

interface Props<Item> {
  readonly list: PagedRows<Item>;
  readonly label: string;
  readonly columns: readonly Column<Item>[];
  readonly rowKey: (item: Item) => string;
  readonly onOpen?: (item: Item) => void;
  readonly openKey?: string | null;
  /** What to say where there is nothing, and what to do. */
  readonly empty: { readonly title: string; readonly text: ReactNode };
}

/** A list of the API, in each of its states. */
export function PagedList<Item>({
  list,
  label,
  columns,
  rowKey,
  onOpen,
  openKey = null,
  empty,
}: Props<Item>) {
  if (list.error !== null) return <ProblemNote error={list.error} onRetry={list.again} />;
  if (list.loading) return <Loading what={label} />;
  if (list.rows.length === 0)
    return (
      <EmptyState icon="identities" title={empty.title}>
        {empty.text}
      </EmptyState>
    );
  return (
    <VirtualTable
      label={label}
      columns={columns}
      rows={list.rows}
      rowKey={rowKey}
      openKey={openKey}
      more={list.more}
      onNearEnd={list.onNearEnd}
      {...(onOpen === undefined ? {} : { onOpen })}
    />
  );
}
