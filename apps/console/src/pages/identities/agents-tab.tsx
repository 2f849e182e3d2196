import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { Fields } from '../../parts/fields.js';
import { HostileText } from '../../parts/hostile-text.js';
import { notify } from '../../parts/notify.js';
import { RelativeTime } from '../../parts/relative-time.js';
import { SidePanel } from '../../parts/side-panel.js';
import type { Column } from '../../parts/table/column.js';
import { usePagedRows } from '../../parts/table/use-paged-rows.js';
import { Badge } from '../../parts/verdict-badge.js';
import { useMay } from '../../session/use-session.js';
import { type Agent, agents, revokeAgent } from './identities.js';
import { PagedList } from '../../parts/table/paged-list.js';

const KEY = ['agents'];

/** Machines that were let in as somebody's agent. */
export function AgentsTab() {
  const may = useMay();
  const list = usePagedRows<Agent>(KEY, agents);
  const [open, setOpen] = useState<Agent | null>(null);
  const [revoking, setRevoking] = useState<Agent | null>(null);
  return (
    <>
      {may('decide:Enrolment') ? (
        <Group justify="flex-end" mb="sm">
          <Button component={Link} href="/enrol">
            Let a machine in
          </Button>
        </Group>
      ) : null}
      <PagedList
        list={list}
        label="Agents"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        onOpen={setOpen}
        openKey={open?.id ?? null}
        empty={{
          icon: 'identities',
          title: 'No agent is enrolled',
          text: 'A person enrols theirs with wstack login.',
        }}
      />
      <SidePanel
        opened={open !== null}
        title={<HostileText text={open?.name ?? ''} />}
        onClose={() => setOpen(null)}
      >
        {open === null ? null : (
          <>
            <Fields
              rows={[
                ['Id', <code key="id">{open.id}</code>],
                ['Owner', <HostileText key="owner" text={open.owner} />],
                ['Teams', <HostileText key="teams" text={open.teams.join(', ') || '–'} />],
                ['Enrolled', <RelativeTime key="at" at={open.enrolledAt} />],
              ]}
            />
            {open.revoked === null && may('delete:Agent', { own: true }) ? (
              <Button mt="md" color="red" variant="light" onClick={() => setRevoking(open)}>
                Revoke this agent
              </Button>
            ) : null}
          </>
        )}
      </SidePanel>
      <ConfirmDialog
        opened={revoking !== null}
        title="Revoke this agent"
        confirm="Revoke"
        danger
        reason="none"
        draftKey="revoke-agent"
        onClose={() => setRevoking(null)}
        onConfirm={async () => {
          if (revoking === null) return;
          await revokeAgent(revoking.id);
          notify({ tone: 'good', title: 'The agent is revoked' });
          setOpen(null);
          list.reload();
        }}
      >
        Its tokens are refused from the next request on. Its machine keeps the policies that it has until they
        expire, and then denies what is dangerous.
      </ConfirmDialog>
    </>
  );
}

const COLUMNS: readonly Column<Agent>[] = [
  {
    key: 'name',
    header: 'Agent',
    width: 'minmax(8rem, 1.4fr)',
    cell: ({ name }) => <HostileText text={name} />,
  },
  {
    key: 'owner',
    header: 'Owner',
    width: 'minmax(6rem, 1fr)',
    cell: ({ owner }) => <HostileText text={owner} />,
  },
  {
    key: 'teams',
    header: 'Teams',
    width: 'minmax(6rem, 1fr)',
    from: 'middle',
    cell: ({ teams }) => <HostileText text={teams.join(', ') || '–'} />,
  },
  {
    key: 'state',
    header: 'State',
    width: '7rem',
    cell: ({ revoked }) =>
      revoked === null ? (
        <Badge tone="allow" mark="check">
          enrolled
        </Badge>
      ) : (
        <Badge tone="deny" mark="ban">
          revoked
        </Badge>
      ),
  },
  {
    key: 'at',
    header: 'Enrolled',
    width: '8.5rem',
    from: 'middle',
    cell: ({ enrolledAt }) => <RelativeTime at={enrolledAt} />,
  },
];
