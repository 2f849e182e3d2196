import { Button, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { HostileText } from '../../parts/hostile-text.js';
import { Icon } from '../../parts/icon.js';
import { RelativeTime } from '../../parts/relative-time.js';
import { PagedList } from '../../parts/table/paged-list.js';
import { usePagedRows } from '../../parts/table/use-paged-rows.js';
import type { Column } from '../../parts/table/column.js';
import { useFilters } from '../../parts/use-filters.js';
import { Page } from '../../shell/page.js';
import { ExceptionPanel } from './exception-panel.js';
import { ExceptionStateBadge } from './exception-state.js';
import { type ExceptionRequest, exceptions, LIST_KEY, STATES } from './exceptions.js';

const FILTERS = ['show'] as const;
const ALL = 'all';

/** What people asked who were denied: that a rule should not hold for them, for one call and a while. */
export default function ExceptionsPage() {
  const [{ show }, setFilter] = useFilters(FILTERS);
  const state = show === ALL ? null : (STATES.find((one) => one === show) ?? 'pending');
  const list = usePagedRows<ExceptionRequest>([...LIST_KEY, state], (cursor, signal) =>
    exceptions(state, cursor, signal),
  );
  const [open, setOpen] = useState<ExceptionRequest | null>(null);
  return (
    <Page
      wide
      title="Exceptions"
      lead="Somebody was denied and says why the rule should not hold for this call, for a while. A grant lifts that rule alone, for commands that begin with these words: what else asks or denies, such as the question before a destructive call, stays."
      actions={
        <Button
          variant="default"
          leftSection={<Icon name="refresh" size={16} />}
          loading={list.loading}
          onClick={list.reload}
        >
          Refresh
        </Button>
      }
    >
      <SegmentedControl
        mb="md"
        aria-label="Which requests"
        data={[
          { value: 'pending', label: 'Waiting' },
          { value: 'granted', label: 'Granted' },
          { value: 'refused', label: 'Refused' },
          { value: ALL, label: 'All' },
        ]}
        value={state ?? ALL}
        onChange={(value) => setFilter('show', value === 'pending' ? null : value)}
      />
      <PagedList
        list={list}
        label="Exception requests"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        onOpen={setOpen}
        openKey={open?.id ?? null}
        empty={{
          icon: 'exceptions',
          title: state === 'pending' ? 'Nobody waits for an exception' : 'There is none',
          text: (
            <>
              Whoever was denied asks with <code>/policy ask</code> in wstack.
            </>
          ),
        }}
      />
      <ExceptionPanel
        request={open}
        onClose={() => setOpen(null)}
        onDecided={(request) => {
          setOpen(request);
          list.reload();
        }}
      />
    </Page>
  );
}

const COLUMNS: readonly Column<ExceptionRequest>[] = [
  {
    key: 'state',
    header: 'State',
    width: '7.5rem',
    cell: ({ state }) => <ExceptionStateBadge state={state} />,
  },
  {
    key: 'title',
    header: 'What',
    width: 'minmax(9rem, 2fr)',
    cell: ({ title }) => <HostileText text={title} />,
  },
  {
    key: 'rule',
    header: 'Rule',
    width: 'minmax(7rem, 1fr)',
    from: 'middle',
    cell: ({ rule }) => <HostileText text={rule} />,
  },
  {
    key: 'who',
    header: 'Who',
    width: 'minmax(6rem, 1fr)',
    from: 'middle',
    cell: ({ requester }) => <HostileText text={requester.name} />,
  },
  {
    key: 'at',
    header: 'Asked',
    width: '8.5rem',
    from: 'middle',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
];
