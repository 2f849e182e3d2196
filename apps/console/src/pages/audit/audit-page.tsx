import { Button } from '@mantine/core';
import { useLocation, useRoute, useSearch } from 'wouter';
import { EmptyState } from '../../parts/empty-state.js';
import { FilterChips } from '../../parts/filter-chips.js';
import { Icon } from '../../parts/icon.js';
import { ListLayout } from '../../parts/list-layout.js';
import { Loading } from '../../parts/loading.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { usePagedRows } from '../../parts/table/use-paged-rows.js';
import { VirtualTable } from '../../parts/table/virtual-table.js';
import { useFilters } from '../../parts/use-filters.js';
import { Page } from '../../shell/page.js';
import { AuditFilters } from './audit-filters.js';
import { FILTERS, rows } from './audit.js';
import { ExportMenu } from './export-menu.js';
import { RECORD_COLUMNS } from './record-columns.js';
import { RecordPanel } from './record-panel.js';
import { VerifyButton } from './verify-button.js';

/** What happened, as one chain: searched, explained, proven, taken along. */
export default function AuditPage() {
  const [filters, setFilter] = useFilters(FILTERS);
  const [, navigate] = useLocation();
  const search = useSearch();
  const [, route] = useRoute('/audit/:seq');
  const open = route === null ? null : Number(route.seq);
  const list = usePagedRows(['audit', 'rows', filters], (cursor, signal) => rows(filters, cursor, signal));
  const show = (seq: number | null): void =>
    navigate(`/audit${seq === null ? '' : `/${seq}`}${search === '' ? '' : `?${search}`}`);
  const set = Object.keys(filters).length;
  return (
    <Page
      wide
      title="Audit"
      lead="Every decision, and everything that was done to the control plane, in one chain that proves itself."
      actions={
        <>
          <VerifyButton />
          <ExportMenu filters={filters} />
          <Button
            variant="default"
            leftSection={<Icon name="refresh" size={16} />}
            loading={list.loading}
            onClick={list.reload}
          >
            Newest
          </Button>
        </>
      }
    >
      <ListLayout set={set} filters={<AuditFilters filters={filters} onFilter={setFilter} />}>
        <FilterChips names={FILTERS} filters={filters} onTakeBack={(name) => setFilter(name, null)} />
        {list.error === null ? null : <ProblemNote error={list.error} onRetry={list.again} />}
        {list.loading ? (
          <Loading what="records" />
        ) : list.rows.length === 0 ? (
          list.error === null && (
            <EmptyState icon="audit" title={set > 0 ? 'No record is like that' : 'Nothing has happened yet'}>
              {set > 0
                ? 'Take a filter back to see more.'
                : 'Machines ship what they decided by themselves, a few seconds after it happened.'}
            </EmptyState>
          )
        ) : (
          <VirtualTable
            label="Audit records, newest first"
            columns={RECORD_COLUMNS}
            rows={list.rows}
            rowKey={({ seq }) => String(seq)}
            openKey={open === null ? null : String(open)}
            onOpen={({ seq }) => show(seq)}
            more={list.more}
            onNearEnd={list.onNearEnd}
          />
        )}
      </ListLayout>
      <RecordPanel seq={open} onClose={() => show(null)} />
    </Page>
  );
}
