import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { Fields } from '../../parts/fields.js';
import { HostileText } from '../../parts/hostile-text.js';
import { notify } from '../../parts/notify.js';
import { RelativeTime } from '../../parts/relative-time.js';
import { SidePanel } from '../../parts/side-panel.js';
import type { Column } from '../../parts/table/column.js';
import { usePagedRows } from '../../parts/table/use-paged-rows.js';
import { useNow } from '../../parts/use-now.js';
import { Badge } from '../../parts/verdict-badge.js';
import { useMay } from '../../session/use-session.js';
import { revokeToken, type Token, tokens } from './identities.js';
import { NewTokenDialog } from './new-token-dialog.js';
import { PagedList } from '../../parts/table/paged-list.js';

const KEY = ['tokens'];

/** Tokens of programs and people. The secret itself is never here: it was shown once. */
export function TokensTab() {
  const may = useMay();
  const list = usePagedRows<Token>(KEY, tokens);
  const [open, setOpen] = useState<Token | null>(null);
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<Token | null>(null);
  return (
    <>
      {may('create:Token', { own: true }) ? (
        <Group justify="flex-end" mb="sm">
          <Button onClick={() => setCreating(true)}>New token</Button>
        </Group>
      ) : null}
      <PagedList
        list={list}
        label="Tokens"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        onOpen={setOpen}
        openKey={open?.id ?? null}
        empty={{ icon: 'identities', title: 'No token', text: 'Programs that speak to the API need one.' }}
      />
      <SidePanel
        opened={open !== null}
        title={<HostileText text={open?.name ?? ''} />}
        onClose={() => setOpen(null)}
      >
        {open === null ? null : (
          <>
            <TokenFields token={open} />
            {open.revokedAt === null && may('delete:Token', { own: true }) ? (
              <Button mt="md" color="red" variant="light" onClick={() => setRevoking(open)}>
                Revoke this token
              </Button>
            ) : null}
          </>
        )}
      </SidePanel>
      <NewTokenDialog opened={creating} onClose={() => setCreating(false)} onIssued={list.reload} />
      <ConfirmDialog
        opened={revoking !== null}
        title="Revoke this token"
        confirm="Revoke"
        danger
        reason="none"
        draftKey="revoke-token"
        onClose={() => setRevoking(null)}
        onConfirm={async () => {
          if (revoking === null) return;
          await revokeToken(revoking.id);
          notify({
            tone: 'good',
            title: 'The token is revoked',
            text: 'Whoever uses it is refused from now on.',
          });
          setOpen(null);
          list.reload();
        }}
      >
        Whoever uses it is refused with the next request, sessions of this console included. It cannot be
        undone.
      </ConfirmDialog>
    </>
  );
}

function TokenFields({ token }: { readonly token: Token }) {
  const { id, principal, roles, teams, scopes, createdBy, createdAt, expiresAt, revokedAt, lastUsedAt } =
    token;
  return (
    <Fields
      rows={[
        ['Id', <code key="id">{id}</code>],
        ['For', <HostileText key="for" text={`${principal.kind} ${principal.id}`} />],
        ['Roles', roles.join(', ') || 'those of its person'],
        ['Teams', <HostileText key="teams" text={teams.join(', ') || '–'} />],
        ['Scopes', <HostileText key="scopes" text={scopes.join(', ')} />],
        ['Made by', <HostileText key="by" text={createdBy} />],
        ['Made', <RelativeTime key="made" at={createdAt} />],
        ['Expires', expiresAt === null ? 'never' : <RelativeTime key="expires" at={expiresAt} />],
        ['Last used', lastUsedAt === null ? 'never' : <RelativeTime key="used" at={lastUsedAt} />],
        ['Revoked', revokedAt === null ? null : <RelativeTime key="revoked" at={revokedAt} />],
      ]}
    />
  );
}

const COLUMNS: readonly Column<Token>[] = [
  {
    key: 'name',
    header: 'Name',
    width: 'minmax(8rem, 1.4fr)',
    cell: ({ name }) => <HostileText text={name} />,
  },
  {
    key: 'for',
    header: 'For',
    width: 'minmax(7rem, 1fr)',
    cell: ({ principal }) => <HostileText text={principal.id} />,
  },
  { key: 'state', header: 'State', width: '7rem', cell: (token) => <TokenState token={token} /> },
  {
    key: 'used',
    header: 'Last used',
    width: '8.5rem',
    from: 'middle',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <RelativeTime at={lastUsedAt} />),
  },
  {
    key: 'expires',
    header: 'Expires',
    width: '8.5rem',
    from: 'wide',
    cell: ({ expiresAt }) => (expiresAt === null ? 'never' : <RelativeTime at={expiresAt} />),
  },
];

function TokenState({ token: { revokedAt, expiresAt } }: { readonly token: Token }) {
  const now = useNow();
  if (revokedAt !== null)
    return (
      <Badge tone="deny" mark="ban">
        revoked
      </Badge>
    );
  if (expiresAt !== null && Date.parse(expiresAt) < now)
    return (
      <Badge tone="quiet" mark="clock">
        expired
      </Badge>
    );
  return (
    <Badge tone="allow" mark="check">
      valid
    </Badge>
  );
}
