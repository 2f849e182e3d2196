import { Button, Progress } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../../parts/card.js';
import { Facet } from '../../../parts/facets.js';
import { HostileText } from '../../../parts/hostile-text.js';
import { ListLayout } from '../../../parts/list-layout.js';
import { Loading } from '../../../parts/loading.js';
import { ProblemNote } from '../../../parts/problem-note.js';
import { StreamNotice } from '../../../parts/stream-notice.js';
import { useEvents } from '../../../client/use-events.js';
import { FlipTable } from './flip-table.js';
import { cancelReplay, isOver, replay, type Replay } from './replays.js';

interface Props {
  readonly id: string;
  readonly onOver: () => void;
}

/** How far a replay is, and what it has found until now. */
export function ReplayResult({ id, onOver }: Props) {
  const key = ['replays', id];
  const queries = useQueryClient();
  const found = useQuery({ queryKey: key, queryFn: ({ signal }) => replay(id, signal) });
  const [team, setTeam] = useState<string | null>(null);
  const running = found.data !== undefined && !isOver(found.data);
  const stream = useEvents(
    `/v1/replays/${id}/events`,
    (name) => {
      // An event says how far it is; the whole answer has the teams as well.
      void queries.invalidateQueries({ queryKey: key });
      if (name === 'end') onOver();
    },
    { last: 'end', enabled: running },
  );
  if (found.error !== null) return <ProblemNote error={found.error} onRetry={() => void found.refetch()} />;
  if (found.data === undefined) return <Loading what="the replay" />;
  const { flipsByTeam } = found.data;
  return (
    <Card title="What it would have changed">
      {running ? <StreamNotice state={stream} /> : null}
      <Summary replay={found.data} />
      {running ? (
        <Button variant="default" onClick={() => void cancelReplay(id)}>
          Stop it
        </Button>
      ) : null}
      {found.data.flips === 0 ? null : (
        <ListLayout
          set={team === null ? 0 : 1}
          filters={
            <Facet
              title="Team"
              values={flipsByTeam.map(({ team: value, flips }) => ({ value, count: flips }))}
              chosen={team}
              onChoose={setTeam}
            />
          }
        >
          <FlipTable replay={id} flips={found.data.flips} team={team} />
        </ListLayout>
      )}
    </Card>
  );
}

function Summary({ replay: { state, progress, flips, teams, because } }: { readonly replay: Replay }) {
  const { percent, looked, skipped } = progress;
  const words = [
    `${count(looked)} decisions looked at`,
    `${count(flips)} would come out otherwise${flips === 0 ? '' : ` in ${count(teams)} teams`}`,
    ...(skipped === 0 ? [] : [`${count(skipped)} cannot be decided again`]),
  ];
  return (
    <>
      {state === 'running' || state === 'queued' ? (
        <Progress value={percent} aria-label={`Replayed ${Math.floor(percent)} %`} my="sm" />
      ) : null}
      <p aria-live="polite">
        {state === 'queued' ? 'It waits for its turn. ' : state === 'cancelled' ? 'It was stopped. ' : ''}
        {words.join(', ')}.
      </p>
      {state === 'failed' ? (
        <p>
          It failed: <HostileText text={because ?? 'nobody knows why'} />
        </p>
      ) : null}
    </>
  );
}

function count(number: number): string {
  return number.toLocaleString('en');
}
