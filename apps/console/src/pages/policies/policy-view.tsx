import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, lazy } from 'react';
import { Link, useLocation } from 'wouter';
import { Loading } from '../../parts/loading.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { type May, useMay } from '../../session/use-session.js';
import { visibleText } from '../../parts/visible-text.js';
import { Page } from '../../shell/page.js';
import { policy, type Policy, policyKey } from './policies.js';
import { scopeText } from './policy-columns.js';

const DraftTab = lazy(() => import('./editor/draft-tab.js'));
const WhatIfTab = lazy(() => import('./what-if/what-if-tab.js'));
const ReplayTab = lazy(() => import('./replay/replay-tab.js'));
const PublishTab = lazy(() => import('./publish/publish-tab.js'));
const ShadowTab = lazy(() => import('./shadow/shadow-tab.js'));
const HistoryTab = lazy(() => import('./history/history-tab.js'));
const CommentsTab = lazy(() => import('./comments/comments-tab.js'));

interface Tab {
  readonly name: string;
  readonly label: string;
  readonly allowed: (may: May) => boolean;
  readonly content: (policy: Policy) => ReactNode;
}

const always = (): boolean => true;
/** In the order in which a change goes through them. */
const TABS: readonly Tab[] = [
  { name: 'draft', label: 'Rules', allowed: always, content: (one) => <DraftTab policy={one} /> },
  { name: 'what-if', label: 'What if', allowed: always, content: (one) => <WhatIfTab policy={one} /> },
  {
    name: 'replay',
    label: 'Replay',
    allowed: (may) => may('read:Replay'),
    content: (one) => <ReplayTab policy={one} />,
  },
  { name: 'publish', label: 'Publish', allowed: always, content: (one) => <PublishTab policy={one} /> },
  { name: 'shadow', label: 'Shadow', allowed: always, content: (one) => <ShadowTab policy={one} /> },
  { name: 'history', label: 'History', allowed: always, content: (one) => <HistoryTab policy={one} /> },
  { name: 'comments', label: 'Comments', allowed: always, content: (one) => <CommentsTab policy={one} /> },
];

/** One policy, and each thing that can be done with it in a tab of its own. */
export function PolicyView({ id, tab }: { readonly id: string; readonly tab: string | null }) {
  const [, go] = useLocation();
  const may = useMay();
  const found = useQuery({ queryKey: policyKey(id), queryFn: ({ signal }) => policy(id, signal) });
  const tabs = TABS.filter(({ allowed }) => allowed(may));
  const chosen = tabs.find(({ name }) => name === tab) ?? tabs[0];
  return (
    <Page
      wide
      title={visibleText(id)}
      lead={found.data === undefined ? 'A policy' : leadOf(found.data)}
      actions={<Link href="/policies">All policies</Link>}
    >
      {found.error === null ? null : <ProblemNote error={found.error} onRetry={() => void found.refetch()} />}
      {found.data === undefined || chosen === undefined ? (
        found.error === null && <Loading what="the policy" />
      ) : (
        <Tabs
          value={chosen.name}
          onChange={(name) => go(`/policies/${encodeURIComponent(id)}/${name ?? ''}`)}
          keepMounted={false}
        >
          <Tabs.List mb="md">
            {tabs.map(({ name, label }) => (
              <Tabs.Tab key={name} value={name}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={chosen.name}>
            <Suspense fallback={<Loading what={chosen.label} />}>{chosen.content(found.data)}</Suspense>
          </Tabs.Panel>
        </Tabs>
      )}
    </Page>
  );
}

function leadOf(one: Policy): string {
  const scope = visibleText(scopeText(one));
  const force =
    one.activeRevision === null ? 'nothing in force yet' : `revision ${one.activeRevision} in force`;
  return `For the ${scope.replace(/^organisation$/, 'whole organisation')}; ${force}.`;
}
