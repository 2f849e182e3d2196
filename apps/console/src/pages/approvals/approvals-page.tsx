import { Button, SegmentedControl } from '@mantine/core';
import { useState, useSyncExternalStore } from 'react';
import { useLocation, useRoute } from 'wouter';
import { EmptyState } from '../../parts/empty-state.js';
import { Icon } from '../../parts/icon.js';
import { StreamNotice } from '../../parts/stream-notice.js';
import { useFilters } from '../../parts/use-filters.js';
import { Page } from '../../shell/page.js';
import { askToNotify, mayNotify } from './announce.js';
import { liveState } from './live-approvals.js';
import { ENDS } from './approvals.js';
import { EndFilter, PastList } from './past-list.js';
import { RequestPanel } from './request-panel.js';
import { WaitingList } from './waiting-list.js';
import classes from './approvals-page.module.css';

const FILTERS = ['show'] as const;

/** The queue at the left, one request at the right; on a narrow screen one after the other. */
export default function ApprovalsPage() {
  const [, route] = useRoute('/approvals/:id');
  const id = route?.id ?? null;
  const [{ show = 'waiting' }, setFilter] = useFilters(FILTERS);
  const [, navigate] = useLocation();
  const live = useSyncExternalStore(liveState.subscribe, liveState.read);
  const end = ENDS.find((state) => state === show) ?? null;
  const search = show === 'waiting' ? '' : `?show=${show}`;
  const open = (chosen: string | null): void =>
    navigate(chosen === null ? `/approvals${search}` : `/approvals/${encodeURIComponent(chosen)}${search}`);
  return (
    <Page
      wide
      title="Approvals"
      lead="Calls that a policy sends to people. Each is bound to exactly what you see: if anything changes, it is asked anew."
      actions={
        <>
          <StreamNotice state={live} />
          <NotifyButton />
        </>
      }
    >
      <div className={classes['split']} data-open={id !== null}>
        <section className={classes['queue']} aria-label="Requests">
          <SegmentedControl
            aria-label="Which requests"
            fullWidth
            data={[
              { value: 'waiting', label: 'Waiting' },
              { value: 'all', label: 'All' },
            ]}
            value={show === 'waiting' ? show : 'all'}
            onChange={(value) => setFilter('show', value === 'waiting' ? null : value)}
          />
          {show === 'waiting' ? (
            <WaitingList chosen={id} onChoose={open} />
          ) : (
            <>
              <EndFilter state={end} onChoose={(chosen) => setFilter('show', chosen ?? 'all')} />
              <PastList chosen={id} onChoose={open} state={end} />
            </>
          )}
        </section>
        <div className={classes['one']}>
          {id === null ? (
            <EmptyState icon="approvals" title="Choose a request">
              What would run, on what, for whom and why is shown here before you answer.
            </EmptyState>
          ) : (
            <RequestPanel key={id} id={id} onBack={() => open(null)} />
          )}
        </div>
      </div>
    </Page>
  );
}

function NotifyButton() {
  const [permission, setPermission] = useState(mayNotify);
  if (permission !== 'default') return null;
  return (
    <Button
      variant="default"
      leftSection={<Icon name="bell" size={16} />}
      onClick={() => void askToNotify().then(setPermission)}
    >
      Notify me
    </Button>
  );
}
