import { Button, NativeSelect } from '@mantine/core';
import { EmptyState } from '../../parts/empty-state.js';
import { Loading } from '../../parts/loading.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { usePagedRows } from '../../parts/table/use-paged-rows.js';
import { type ApprovalState, ENDS, past, PAST_KEY } from './approvals.js';
import { RequestCard } from './request-card.js';
import classes from './request-list.module.css';

interface Props {
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
  /** Those that ended like that; null = all. */
  readonly state: ApprovalState | null;
}

/** Everything that was ever asked, the newest first. */
export function PastList({ chosen, onChoose, state }: Props) {
  const { rows, more, loading, error, again, onNearEnd } = usePagedRows(
    [...PAST_KEY, state],
    (cursor, signal) => past(state, cursor, signal),
  );
  if (loading) return <Loading what="requests" />;
  if (rows.length === 0 && error === null)
    return (
      <EmptyState icon="approvals" title={state === null ? 'Nothing was ever asked' : `None was ${state}`}>
        A rule with the effect approve sends a call to people.
      </EmptyState>
    );
  return (
    <>
      <ul className={classes['list']}>
        {rows.map((request) => (
          <li key={request.id}>
            <RequestCard
              request={request}
              mine={request.mayDecide}
              chosen={request.id === chosen}
              onChoose={() => onChoose(request.id)}
            />
          </li>
        ))}
      </ul>
      {error === null ? null : <ProblemNote error={error} onRetry={again} />}
      {more ? (
        <Button variant="default" onClick={onNearEnd}>
          Show older ones
        </Button>
      ) : null}
    </>
  );
}

interface EndFilterProps {
  readonly state: ApprovalState | null;
  readonly onChoose: (state: string | null) => void;
}

/** Which of them. */
export function EndFilter({ state, onChoose }: EndFilterProps) {
  return (
    <NativeSelect
      aria-label="How they ended"
      data={[{ value: '', label: 'However they ended' }, ...ENDS.map((end) => ({ value: end, label: end }))]}
      value={state ?? ''}
      onChange={({ currentTarget: { value } }) => onChoose(value === '' ? null : value)}
    />
  );
}
