import { Alert } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEvents } from '../../../client/use-events.js';
import { TimeChart } from '../../../parts/charts/time-chart.js';
import { Fields } from '../../../parts/fields.js';
import { HostileText } from '../../../parts/hostile-text.js';
import { Loading } from '../../../parts/loading.js';
import { ProblemNote } from '../../../parts/problem-note.js';
import { StreamNotice } from '../../../parts/stream-notice.js';
import { policyKey } from '../policies.js';
import { deniedShare, eventsOf, rollout, type Rollout } from './rollouts.js';

const SERIES = [
  { key: 'with', label: 'With this revision', colour: '--ws-chart-2' },
  { key: 'without', label: 'Without it', colour: '--ws-chart-1' },
];

interface Props {
  readonly policy: string;
  readonly revision: number;
}

/** How a staged revision goes, live: denials of those who have it beside those of the others. */
export function RolloutChart({ policy, revision }: Props) {
  const key = policyKey(policy, 'rollout', revision);
  const queries = useQueryClient();
  const found = useQuery({ queryKey: key, queryFn: ({ signal }) => rollout(policy, revision, signal) });
  const stream = useEvents(eventsOf(policy, revision), (name) => {
    if (name !== 'rollout') return;
    void queries.invalidateQueries({ queryKey: key });
    // It may have been halted, by the server too: then this page shows another state.
    void queries.invalidateQueries({ queryKey: policyKey(policy, 'newest') });
  });
  if (found.error !== null) return <ProblemNote error={found.error} onRetry={() => void found.refetch()} />;
  if (found.data === undefined) return <Loading what="how it goes" />;
  return (
    <>
      <StreamNotice state={stream} />
      <Report report={found.data} />
    </>
  );
}

function Report({ report: { now, series, spike, halt } }: { readonly report: Rollout }) {
  const points = series.map((step) => ({
    at: step.from,
    values: { with: deniedShare(step.with), without: deniedShare(step.without) },
  }));
  return (
    <>
      {spike === null ? null : (
        <Alert color="red" variant="light" title="Denials rise" role="alert">
          <HostileText text={spike} />
        </Alert>
      )}
      <TimeChart
        title="Denied calls, percent"
        series={SERIES}
        points={points}
        height={180}
        format={(value) => `${Math.round(value)} %`}
      />
      <Fields
        rows={[
          ['Who have it', deniedOf(now.staged)],
          ['The same before', deniedOf(now.before)],
          ['The others', deniedOf(now.others)],
          [
            'Halted by itself',
            halt === null
              ? 'never'
              : `when denials rise by ${halt.percent} percent points, from ${halt.atLeast} calls on`,
          ],
        ]}
      />
    </>
  );
}

function deniedOf(group: Rollout['now']['staged']): string {
  const count = (number: number): string => number.toLocaleString('en');
  return `${count(group.people)} people, ${count(group.decided)} calls, ${deniedShare(group).toFixed(1)} % denied`;
}
