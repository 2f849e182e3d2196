import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLocation, useRoute } from 'wouter';
import { type May, useMay } from '../../session/use-session.js';
import { Page } from '../../shell/page.js';
import { AgentsTab } from './agents-tab.js';
import { GroupsTab } from './groups-tab.js';
import { RolesTab } from './roles-tab.js';
import { SettingsTab } from './settings-tab.js';
import { TokensTab } from './tokens-tab.js';
import { UsersTab } from './users-tab.js';

interface Tab {
  readonly name: string;
  readonly label: string;
  readonly allowed: (may: May) => boolean;
  readonly content: ReactNode;
}

const TABS: readonly Tab[] = [
  {
    name: 'tokens',
    label: 'Tokens',
    allowed: (may) => may('read:Token', { own: true }),
    content: <TokensTab />,
  },
  { name: 'people', label: 'People', allowed: (may) => may('read:User'), content: <UsersTab /> },
  {
    name: 'agents',
    label: 'Agents',
    allowed: (may) => may('read:Agent', { own: true }),
    content: <AgentsTab />,
  },
  { name: 'roles', label: 'Roles', allowed: (may) => may('read:User'), content: <RolesTab /> },
  { name: 'groups', label: 'Groups', allowed: (may) => may('read:User'), content: <GroupsTab /> },
  { name: 'settings', label: 'Settings', allowed: (may) => may('read:Settings'), content: <SettingsTab /> },
];

/** Who may do what: tokens, people, agents, roles, groups of the identity provider, settings. */
export default function IdentitiesPage() {
  const [, params] = useRoute('/identities/:tab?');
  const [, go] = useLocation();
  const may = useMay();
  const tabs = TABS.filter(({ allowed }) => allowed(may));
  const chosen = tabs.find(({ name }) => name === params?.tab) ?? tabs[0];
  return (
    <Page wide title="Identities" lead="Who may do what, and with which token.">
      {chosen === undefined ? null : (
        <Tabs value={chosen.name} onChange={(name) => go(`/identities/${name ?? ''}`)} keepMounted={false}>
          <Tabs.List mb="md">
            {tabs.map(({ name, label }) => (
              <Tabs.Tab key={name} value={name}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={chosen.name}>{chosen.content}</Tabs.Panel>
        </Tabs>
      )}
    </Page>
  );
}
