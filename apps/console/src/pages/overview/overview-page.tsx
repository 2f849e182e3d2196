import { Button, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRoute } from 'wouter';
import { Icon } from '../../parts/icon.js';
import { Loading } from '../../parts/loading.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { RelativeTime } from '../../parts/relative-time.js';
import { useFilters } from '../../parts/use-filters.js';
import { Page } from '../../shell/page.js';
import { Cards } from './cards.js';
import { FreshInstallation } from './fresh-installation.js';
import { isFresh, overview, spanOf, SPANS } from './overview.js';
import { Tiles } from './tiles.js';
import { UsagePage } from './usage-page.js';

const FILTERS = ['hours'] as const;

/** What happens at a glance, and below it what was used in detail. */
export default function OverviewPages() {
  const [inUsage] = useRoute('/overview/usage');
  return inUsage ? <UsagePage /> : <OverviewPage />;
}

/** What happens, at a glance. Not asked for again by itself: an idle tab would keep its session alive. */
function OverviewPage() {
  const [{ hours }, setFilter] = useFilters(FILTERS);
  const span = spanOf(hours);
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['overview', span.value],
    queryFn: ({ signal }) => overview(span, signal),
    placeholderData: (before) => before,
  });
  return (
    <Page
      wide
      title="Overview"
      lead={
        data === undefined || isPlaceholderData ? (
          `What happened in ${span.words}.`
        ) : (
          <>
            What happened in {span.words}, counted <RelativeTime at={data.to} />.
          </>
        )
      }
      actions={
        <>
          <SegmentedControl
            aria-label="How far back"
            data={SPANS.map(({ value, label }) => ({ value, label }))}
            value={span.value}
            onChange={(value) => setFilter('hours', value === SPANS[0].value ? null : value)}
          />
          <Button
            variant="default"
            leftSection={<Icon name="refresh" size={16} />}
            loading={isFetching}
            onClick={() => void refetch()}
          >
            Refresh
          </Button>
        </>
      }
    >
      {error === null ? null : <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <Loading what="the overview" />
      ) : isFresh(data) ? (
        <FreshInstallation span={span} />
      ) : (
        <>
          <Tiles overview={data} />
          <Cards overview={data} />
        </>
      )}
    </Page>
  );
}
