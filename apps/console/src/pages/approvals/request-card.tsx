import { HostileText } from '../../parts/hostile-text.js';
import { RelativeTime } from '../../parts/relative-time.js';
import { ApprovalStateBadge, Badge } from '../../parts/verdict-badge.js';
import type { Approval } from './approvals.js';
import classes from './request-card.module.css';

interface Props {
  readonly request: Approval;
  readonly chosen: boolean;
  readonly mine: boolean;
  readonly onChoose: () => void;
}

/** One request in the queue: what, who, since when. */
export function RequestCard({ request, chosen, mine, onChoose }: Props) {
  const { title, requester, createdAt, state, need, have } = request;
  return (
    <button
      type="button"
      className={classes['card']}
      aria-current={chosen ? 'true' : undefined}
      onClick={onChoose}
    >
      <span className={classes['title']}>
        <HostileText text={title} />
      </span>
      <span className={classes['line']}>
        <span>
          <HostileText text={requester.name} /> · <RelativeTime at={createdAt} />
        </span>
        {state !== 'pending' ? (
          <ApprovalStateBadge state={state} />
        ) : mine ? (
          <Badge tone="approve" mark="pause">
            {need > 1 ? `${have} of ${need} yes` : 'waits for you'}
          </Badge>
        ) : (
          <Badge tone="quiet">waits for others</Badge>
        )}
      </span>
    </button>
  );
}
