import { Button } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { EmptyState } from '../../parts/empty-state.js';
import { Loading } from '../../parts/loading.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { VirtualTable } from '../../parts/table/virtual-table.js';
import { usePagedRows } from '../../parts/table/use-paged-rows.js';
import { useMay } from '../../session/use-session.js';
import { Page } from '../../shell/page.js';
import { NewPolicyDialog } from './new-policy-dialog.js';
import { policies, type Policy } from './policies.js';
import { POLICY_COLUMNS } from './policy-columns.js';

const KEY = ['policies', 'list'];

export function PolicyList() {
  const [creating, setCreating] = useState(false);
  const [, go] = useLocation();
  const may = useMay();
  const list = usePagedRows<Policy>(KEY, policies);
  const create = may('create:Policy') ? (
    <Button onClick={() => setCreating(true)}>New policy</Button>
  ) : undefined;
  return (
    <Page
      wide
      title="Policies"
      lead="What the agents of the organisation may do. Every change is tried, reviewed and kept."
      actions={create}
    >
      {list.error === null ? null : <ProblemNote error={list.error} onRetry={list.again} />}
      {list.loading ? (
        <Loading what="policies" />
      ) : list.rows.length === 0 ? (
        list.error === null && (
          <EmptyState icon="policies" title="No policy yet">
            Until there is one, each machine follows what is built in and its own person’s rules.
          </EmptyState>
        )
      ) : (
        <VirtualTable
          label="Policies"
          columns={POLICY_COLUMNS}
          rows={list.rows}
          rowKey={({ id }) => id}
          openKey={null}
          onOpen={({ id }) => go(`/policies/${encodeURIComponent(id)}`)}
          more={list.more}
          onNearEnd={list.onNearEnd}
        />
      )}
      <NewPolicyDialog
        opened={creating}
        onClose={() => setCreating(false)}
        onCreated={({ id }) => {
          list.reload();
          go(`/policies/${encodeURIComponent(id)}`);
        }}
      />
    </Page>
  );
}
