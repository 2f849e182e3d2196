import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '../../parts/empty-state.js';
import { Facet } from '../../parts/facets.js';
import { Icon } from '../../parts/icon.js';
import { ListLayout } from '../../parts/list-layout.js';
import { Loading } from '../../parts/loading.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { VirtualTable } from '../../parts/table/virtual-table.js';
import { usePagedRows } from '../../parts/table/use-paged-rows.js';
import { useFilters } from '../../parts/use-filters.js';
import { Page } from '../../shell/page.js';
import { driftCounts, fleetKey, type Machine, machines } from './fleet.js';
import { MACHINE_COLUMNS } from './machine-columns.js';
import { MachinePanel } from './machine-panel.js';
import { ReasonFilter } from './reason-filter.js';

const FILTERS = ['reason', 'state', 'version'] as const;

/** Who runs which version and which policies, and where that is not what it should be. */
export default function FleetPage() {
  const [filters, setFilter] = useFilters(FILTERS);
  const [open, setOpen] = useState<Machine | null>(null);
  const counts = useQuery({ queryKey: ['fleet', 'counts'], queryFn: ({ signal }) => driftCounts(signal) });
  const list = usePagedRows(fleetKey(filters), (cursor, signal) => machines(filters, cursor, signal));
  const { current } = counts.data ?? {};
  return (
    <Page
      wide
      title="Fleet"
      lead={
        current === undefined || current.revision === 0
          ? 'Machines that are enrolled, and what they said last.'
          : `Machines that are enrolled. In force: revision ${current.revision} of epoch ${current.epoch}.`
      }
      actions={
        <Button
          variant="default"
          leftSection={<Icon name="refresh" size={16} />}
          onClick={() => {
            void counts.refetch();
            list.reload();
          }}
        >
          Refresh
        </Button>
      }
    >
      <ListLayout
        set={Object.keys(filters).length}
        filters={
          <>
            <ReasonFilter
              chosen={filters.reason ?? null}
              onChoose={(reason) => setFilter('reason', reason)}
            />
            {filters.reason === undefined ? (
              <>
                <Facet
                  title="Policy state"
                  values={counts.data?.counts.policyState ?? []}
                  chosen={filters.state ?? null}
                  onChoose={(state) => setFilter('state', state)}
                />
                <Facet
                  title="Version"
                  values={counts.data?.counts.version ?? []}
                  chosen={filters.version ?? null}
                  onChoose={(version) => setFilter('version', version)}
                />
              </>
            ) : null}
          </>
        }
      >
        {list.error === null ? null : <ProblemNote error={list.error} onRetry={list.again} />}
        {list.loading ? (
          <Loading what="machines" />
        ) : list.rows.length === 0 ? (
          list.error === null && <NoMachines filtered={Object.keys(filters).length > 0} />
        ) : (
          <VirtualTable
            label="Machines"
            columns={MACHINE_COLUMNS}
            rows={list.rows}
            rowKey={({ agent }) => agent}
            openKey={open?.agent ?? null}
            onOpen={setOpen}
            more={list.more}
            onNearEnd={list.onNearEnd}
          />
        )}
      </ListLayout>
      <MachinePanel machine={open} onClose={() => setOpen(null)} />
    </Page>
  );
}

function NoMachines({ filtered }: { readonly filtered: boolean }) {
  return filtered ? (
    <EmptyState icon="check" title="No machine is like that">
      Take a filter back to see more.
    </EmptyState>
  ) : (
    <EmptyState icon="fleet" title="No machine has enrolled yet">
      A person runs <code>wstack login</code> on theirs, and it appears here with its first word.
    </EmptyState>
  );
}
