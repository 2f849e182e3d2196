import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../../parts/confirm-dialog.js';
import { EmptyState } from '../../../parts/empty-state.js';
import { Loading } from '../../../parts/loading.js';
import { notify } from '../../../parts/notify.js';
import { ProblemNote } from '../../../parts/problem-note.js';
import { usePagedRows } from '../../../parts/table/use-paged-rows.js';
import { VirtualTable } from '../../../parts/table/virtual-table.js';
import { useMay } from '../../../session/use-session.js';
import { type Policy, policyKey, type Revision, revisions } from '../policies.js';
import { rollBack } from '../publish/publications.js';
import { REVISION_COLUMNS } from './revision-columns.js';
import { RevisionPanel } from './revision-panel.js';

/** All that was ever published, and the way back to any of it. Default export for `lazy`. */
export default function HistoryTab({ policy }: { readonly policy: Policy }) {
  const { id, activeRevision, newestRevision } = policy;
  const [open, setOpen] = useState<Revision | null>(null);
  const [back, setBack] = useState<Revision | null>(null);
  const queries = useQueryClient();
  const mayPublish = useMay()('publish:Publication');
  const list = usePagedRows<Revision>(policyKey(id, 'revisions'), (cursor, signal) =>
    revisions(id, cursor, signal),
  );
  const mayGoBack = (one: Revision): boolean =>
    mayPublish && one.revision !== activeRevision && ['superseded', 'halted', 'active'].includes(one.state);

  if (list.error !== null) return <ProblemNote error={list.error} onRetry={list.again} />;
  if (list.loading) return <Loading what="the history" />;
  if (list.rows.length === 0)
    return (
      <EmptyState icon="policies" title="Nothing was published yet">
        The first publication begins the history.
      </EmptyState>
    );
  return (
    <>
      <VirtualTable
        label="Revisions"
        columns={REVISION_COLUMNS}
        rows={list.rows}
        rowKey={({ revision }) => String(revision)}
        openKey={open === null ? null : String(open.revision)}
        onOpen={setOpen}
        more={list.more}
        onNearEnd={list.onNearEnd}
      />
      <RevisionPanel
        policy={policy}
        revision={open}
        onClose={() => setOpen(null)}
        actions={
          open !== null && mayGoBack(open) ? (
            <Button color="red" variant="light" onClick={() => setBack(open)}>
              Roll back to this revision
            </Button>
          ) : null
        }
      />
      <ConfirmDialog
        opened={back !== null}
        title={`Back to revision ${back?.revision ?? ''}`}
        confirm="Roll back"
        danger
        reason="required"
        reasonLabel="Why"
        draftKey={`rollback.${id}`}
        onClose={() => setBack(null)}
        onConfirm={async (note) => {
          if (back === null) return;
          const made = await rollBack(id, {
            to: back.revision,
            expectedRevision: newestRevision,
            note: note ?? '',
          });
          notify({
            tone: 'good',
            title: `Revision ${made.revision} is in force`,
            text: `Its text is that of r${back.revision}.`,
          });
          setOpen(null);
          list.reload();
          await queries.invalidateQueries({ queryKey: policyKey(id) });
        }}
      >
        Its text comes into force again as a new revision, at once and for everybody. What is staged now is
        taken back.
      </ConfirmDialog>
    </>
  );
}
