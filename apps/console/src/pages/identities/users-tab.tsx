import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { HostileText } from '../../parts/hostile-text.js';
import type { Column } from '../../parts/table/column.js';
import { usePagedRows } from '../../parts/table/use-paged-rows.js';
import { Badge } from '../../parts/verdict-badge.js';
import { useMay } from '../../session/use-session.js';
import { type User, users } from './identities.js';
import { PagedList } from '../../parts/table/paged-list.js';
import { UserPanel } from './user-panel.js';

const KEY = ['users'];

/** People, their teams and roles. Whoever signs in over the identity provider appears here by themselves. */
export function UsersTab() {
  const may = useMay();
  const list = usePagedRows<User>(KEY, users);
  const [open, setOpen] = useState<User | 'new' | null>(null);
  return (
    <>
      {may('update:User') ? (
        <Group justify="flex-end" mb="sm">
          <Button onClick={() => setOpen('new')}>Add a person</Button>
        </Group>
      ) : null}
      <PagedList
        list={list}
        label="People"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        onOpen={setOpen}
        openKey={open === null || open === 'new' ? null : open.id}
        empty={{
          icon: 'identities',
          title: 'Nobody yet',
          text: 'Add a person, or let them sign in over the identity provider.',
        }}
      />
      <UserPanel
        user={open}
        onClose={() => setOpen(null)}
        onSaved={() => {
          setOpen(null);
          list.reload();
        }}
      />
    </>
  );
}

const COLUMNS: readonly Column<User>[] = [
  { key: 'id', header: 'Id', width: 'minmax(6rem, 1fr)', cell: ({ id }) => <HostileText text={id} /> },
  {
    key: 'name',
    header: 'Name',
    width: 'minmax(7rem, 1.2fr)',
    cell: ({ name }) => <HostileText text={name} />,
  },
  {
    key: 'teams',
    header: 'Teams',
    width: 'minmax(6rem, 1fr)',
    from: 'middle',
    cell: ({ teams }) => <HostileText text={teams.join(', ') || '–'} />,
  },
  {
    key: 'roles',
    header: 'Roles',
    width: 'minmax(7rem, 1.2fr)',
    cell: ({ roles }) => roles.join(', ') || 'none',
  },
  {
    key: 'state',
    header: 'State',
    width: '7rem',
    from: 'middle',
    cell: ({ disabledAt }) =>
      disabledAt === null ? (
        <Badge tone="allow" mark="check">
          active
        </Badge>
      ) : (
        <Badge tone="deny" mark="ban">
          disabled
        </Badge>
      ),
  },
];
