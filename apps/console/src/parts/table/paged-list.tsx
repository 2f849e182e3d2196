import type { ReactNode } from 'react';
import { EmptyState } from '../empty-state.js';
import type { IconName } from '../icon.js';
import { Loading } from '../loading.js';
import { ProblemNote } from '../problem-note.js';
import type { PagedRows } from './use-paged-rows.js';
import type { Column } from './column.js';
import { VirtualTable } from './virtual-table.js';

interface Props<Item> {
  readonly list: PagedRows<Item>;
  readonly label: string;
  readonly columns: readonly Column<Item>[];
  readonly rowKey: (item: Item) => string;
  readonly onOpen?: (item: Item) => void;
  readonly openKey?: string | null;
  /** What to say where there is nothing, and what to do. */
  readonly empty: { readonly icon: IconName; readonly title: string; readonly text: ReactNode };
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
  const { error, loading, rows, more, again, onNearEnd } = list;
  if (error !== null && rows.length === 0) return <ProblemNote error={error} onRetry={again} />;
  if (loading) return <Loading what={label} />;
  if (rows.length === 0)
    return (
      <EmptyState icon={empty.icon} title={empty.title}>
        {empty.text}
      </EmptyState>
    );
  return (
    <>
      {error === null ? null : <ProblemNote error={error} onRetry={again} />}
      <VirtualTable
        label={label}
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        openKey={openKey}
        more={more}
        onNearEnd={onNearEnd}
        {...(onOpen === undefined ? {} : { onOpen })}
      />
    </>
  );
}
