import { Button, Group, Select } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../../parts/card.js';
import { EmptyState } from '../../../parts/empty-state.js';
import { Loading } from '../../../parts/loading.js';
import { ProblemNote } from '../../../parts/problem-note.js';
import { useSending } from '../../../parts/use-sending.js';
import { useMay } from '../../../session/use-session.js';
import { type Policy, policyKey } from '../policies.js';
import { ReplayResult } from './replay-result.js';
import { type ReplayRow, replays, startReplay } from './replays.js';

const SPANS = [
  { value: '1', label: 'the last day' },
  { value: '7', label: 'the last 7 days' },
  { value: '30', label: 'the last 30 days' },
  { value: '365', label: 'the last year' },
];

/** What the draft would have decided otherwise, had it been in force. Default export for `lazy`. */
export default function ReplayTab({ policy }: { readonly policy: Policy }) {
  const { id } = policy;
  const may = useMay();
  const queries = useQueryClient();
  const [days, setDays] = useState('7');
  const { busy, error: failure, send } = useSending();
  const key = policyKey(id, 'replays');
  const list = useQuery({ queryKey: key, queryFn: ({ signal }) => replays(id, signal) });
  const newest: ReplayRow | undefined = list.data?.[0];

  async function start(): Promise<void> {
    await startReplay(id, Number(days), crypto.randomUUID());
    await queries.invalidateQueries({ queryKey: key });
  }

  return (
    <>
      {may('create:Replay') ? (
        <Card title="Replay the saved draft">
          <p>
            Decisions that were recorded are decided again under this draft. What comes out otherwise is
            listed, team by team; nobody is affected.
          </p>
          <Group align="flex-end">
            <Select
              label="On the decisions of"
              data={SPANS}
              allowDeselect={false}
              value={days}
              onChange={(value) => setDays(value ?? '7')}
            />
            <Button loading={busy} disabled={policy.draft === null} onClick={() => void send(start)}>
              Replay
            </Button>
            {policy.draft === null ? <span>There is no saved draft to replay.</span> : null}
          </Group>
          {failure === null ? null : <ProblemNote error={failure} />}
        </Card>
      ) : null}
      {list.error === null ? null : <ProblemNote error={list.error} onRetry={() => void list.refetch()} />}
      {list.data === undefined ? (
        list.error === null && <Loading what="replays" />
      ) : newest === undefined ? (
        <EmptyState icon="refresh" title="Nothing was replayed yet">
          A replay shows whom a change would hit before it does.
        </EmptyState>
      ) : (
        <ReplayResult key={newest.id} id={newest.id} onOver={() => void list.refetch()} />
      )}
    </>
  );
}
