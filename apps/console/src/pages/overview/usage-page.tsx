import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { FilterChips } from '../../parts/filter-chips.js';
import { Loading } from '../../parts/loading.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { useFilters } from '../../parts/use-filters.js';
import { Page } from '../../shell/page.js';
import { NARROWING, spanOf, SPANS, usage, USAGE_FILTERS } from './overview.js';
import { UsageDetail } from './usage-detail.js';

/** Tokens and cost in detail: over time, and of whom. */
export function UsagePage() {
  const [{ hours, model, team }, setFilter] = useFilters(USAGE_FILTERS);
  const span = spanOf(hours);
  const filter = { ...(model === undefined ? {} : { model }), ...(team === undefined ? {} : { team }) };
  const { data, error, refetch } = useQuery({
    queryKey: ['overview', 'usage', span.value, filter],
    queryFn: ({ signal }) => usage(span, filter, signal),
    placeholderData: (before) => before,
  });
  return (
    <Page
      wide
      title="Usage"
      lead={
        <>
          What models used in {span.words}, as command lines report it.{' '}
          <Link href={`/overview${hours === undefined ? '' : `?hours=${span.value}`}`}>
            Back to the overview
          </Link>
        </>
      }
      actions={
        <SegmentedControl
          aria-label="How far back"
          data={SPANS.map(({ value, label }) => ({ value, label }))}
          value={span.value}
          onChange={(value) => setFilter('hours', value === SPANS[0].value ? null : value)}
        />
      }
    >
      <FilterChips names={NARROWING} filters={filter} onTakeBack={(name) => setFilter(name, null)} />
      {error === null ? null : <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <Loading what="the usage" />
      ) : (
        <UsageDetail usage={data} narrowedTo={filter} hours={hours} />
      )}
    </Page>
  );
}
