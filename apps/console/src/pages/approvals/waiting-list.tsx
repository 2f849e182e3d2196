import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../parts/empty-state.js';
import { Loading } from '../../parts/loading.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { MOST_WAITING, waiting, WAITING_KEY } from './approvals.js';
import { RequestCard } from './request-card.js';
import classes from './request-list.module.css';

interface Props {
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
}

/** What waits: first what this person can answer, the oldest at the top. */
export function WaitingList({ chosen, onChoose }: Props) {
  const { data, error, refetch } = useQuery({
    queryKey: WAITING_KEY,
    queryFn: ({ signal }) => waiting(signal),
  });
  if (error !== null) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="requests" />;
  if (data.length === 0)
    return (
      <EmptyState icon="check" title="Nobody waits">
        A request appears here by itself as soon as a policy asks for a yes.
      </EmptyState>
    );
  const mine = data.filter(({ mayDecide }) => mayDecide);
  const others = data.filter(({ mayDecide }) => !mayDecide);
  return (
    <>
      <p
        role="status"
        className="visually-hidden"
      >{`${data.length} requests wait, ${mine.length} of them for you`}</p>
      <ul className={classes['list']}>
        {[...mine, ...others].map((request) => (
          <li key={request.id}>
            <RequestCard
              request={request}
              mine={mine.includes(request)}
              chosen={request.id === chosen}
              onChoose={() => onChoose(request.id)}
            />
          </li>
        ))}
      </ul>
      {data.length < MOST_WAITING ? null : (
        <p
          className={classes['more']}
        >{`The newest ${MOST_WAITING} are shown; the others follow as these are answered.`}</p>
      )}
    </>
  );
}
