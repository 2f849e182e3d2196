import { Button, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '../../parts/empty-state.js';
import { Facet } from '../../parts/facets.js';
import { HostileText } from '../../parts/hostile-text.js';
import { Icon } from '../../parts/icon.js';
import { ListLayout } from '../../parts/list-layout.js';
import { Loading } from '../../parts/loading.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { RelativeTime } from '../../parts/relative-time.js';
import type { Column } from '../../parts/table/column.js';
import { VirtualTable } from '../../parts/table/virtual-table.js';
import { useFilters } from '../../parts/use-filters.js';
import { useMay } from '../../session/use-session.js';
import { Page } from '../../shell/page.js';
import { TaskPanel } from './task-panel.js';
import { TaskStateBadge } from './task-state.js';
import { type Task, tasks } from './tasks.js';

const LOOK_EVERY_MS = 5_000;
const FILTERS = ['state', 'of', 'task'] as const;

/** Work that goes on in the background of the server: its states, its output, and an end to it. */
export default function TasksPage() {
  const [filters, setFilter] = useFilters(FILTERS);
  const [open, setOpen] = useState<string | null>(null);
  const mayAll = useMay()('read:Task');
  const everybody = mayAll && filters.of !== 'me';
  const list = useQuery({
    queryKey: ['tasks', everybody],
    queryFn: ({ signal }) => tasks(everybody, signal),
    refetchInterval: LOOK_EVERY_MS,
  });
  const all = list.data ?? [];
  const rows = all.filter(({ state }) => filters.state === undefined || state === filters.state);
  return (
    <Page
      wide
      title="Tasks"
      lead="Long-running tools, wherever they run. A task ends in exactly one state."
      actions={
        <Button
          variant="default"
          leftSection={<Icon name="refresh" size={16} />}
          onClick={() => void list.refetch()}
        >
          Refresh
        </Button>
      }
    >
      <ListLayout
        set={filters.state === undefined ? 0 : 1}
        filters={
          <>
            {mayAll ? (
              <SegmentedControl
                fullWidth
                aria-label="Whose tasks"
                data={[
                  { value: 'everybody', label: 'Everybody’s' },
                  { value: 'me', label: 'Mine' },
                ]}
                value={everybody ? 'everybody' : 'me'}
                onChange={(of) => setFilter('of', of === 'me' ? 'me' : null)}
              />
            ) : null}
            <Facet
              title="State"
              values={countsOf(all)}
              chosen={filters.state ?? null}
              onChoose={(state) => setFilter('state', state)}
            />
          </>
        }
      >
        {list.error === null ? null : <ProblemNote error={list.error} onRetry={() => void list.refetch()} />}
        {list.data === undefined ? (
          list.error === null && <Loading what="tasks" />
        ) : rows.length === 0 ? (
          <EmptyState icon="tasks" title="No task">
            A tool that is called with <code>run_in_background</code> appears here.
          </EmptyState>
        ) : (
          <VirtualTable
            label="Tasks"
            columns={COLUMNS}
            rows={rows}
            rowKey={({ id }) => id}
            openKey={open}
            onOpen={({ id }) => setOpen(id)}
            more={false}
            onNearEnd={nothing}
          />
        )}
      </ListLayout>
      <TaskPanel
        task={all.find(({ id }) => id === open) ?? null}
        onClose={() => setOpen(null)}
        onChanged={() => void list.refetch()}
      />
    </Page>
  );
}

const nothing = (): void => undefined;

function countsOf(all: readonly Task[]): readonly { readonly value: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const { state } of all) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);
}

const COLUMNS: readonly Column<Task>[] = [
  { key: 'state', header: 'State', width: '8rem', cell: ({ state }) => <TaskStateBadge state={state} /> },
  {
    key: 'tool',
    header: 'Tool',
    width: '6rem',
    from: 'middle',
    cell: ({ tool }) => <HostileText text={tool} />,
  },
  {
    key: 'title',
    header: 'What',
    width: 'minmax(10rem, 2fr)',
    cell: ({ title }) => <HostileText text={title} />,
  },
  {
    key: 'owner',
    header: 'Whose',
    width: 'minmax(6rem, 1fr)',
    from: 'middle',
    cell: ({ owner }) => <HostileText text={owner.user} />,
  },
  {
    key: 'at',
    header: 'Queued',
    width: '8.5rem',
    from: 'middle',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
];
