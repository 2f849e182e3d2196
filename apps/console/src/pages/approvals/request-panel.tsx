import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Icon } from '../../parts/icon.js';
import { Loading } from '../../parts/loading.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { HostileText } from '../../parts/hostile-text.js';
import { RelativeTime } from '../../parts/relative-time.js';
import { ApprovalStateBadge } from '../../parts/verdict-badge.js';
import { Answers } from './answers.js';
import { approval, approvalKey, type Approval } from './approvals.js';
import { CallTargets } from '../../parts/call/call-targets.js';
import { readFacts } from '../../parts/call/call-facts.js';
import { DecideBox } from './decide-box.js';
import { WhatRuns } from './what-runs.js';
import { WhoAndWhy } from './who-and-why.js';
import classes from './request-panel.module.css';

interface Props {
  readonly id: string;
  readonly onBack: () => void;
}

/** One request, with all that somebody should know before they answer, and the answer below it. */
export function RequestPanel({ id, onBack }: Props) {
  const { data, error, refetch } = useQuery({
    queryKey: approvalKey(id),
    queryFn: ({ signal }) => approval(id, signal),
  });
  return (
    <article className={classes['panel']} aria-label="Request">
      <div className={classes['back']}>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Icon name="back" size={15} />}
          onClick={onBack}
        >
          All requests
        </Button>
      </div>
      {error === null ? null : <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined ? error === null && <Loading what="the request" /> : <Request request={data} />}
    </article>
  );
}

function Request({ request }: { readonly request: Approval }) {
  const { title, state, createdAt, expiresAt } = request;
  const facts = readFacts(request.facts);
  return (
    <>
      <header className={classes['head']}>
        <h2 className={classes['title']}>
          <HostileText text={title} />
        </h2>
        <p className={classes['line']}>
          <ApprovalStateBadge state={state} /> asked <RelativeTime at={createdAt} />
          {state === 'pending' ? (
            <>
              {' '}
              · ends <RelativeTime at={expiresAt} />
            </>
          ) : null}
        </p>
      </header>
      <WhatRuns request={request} facts={facts} />
      <CallTargets facts={facts} />
      <WhoAndWhy request={request} facts={facts} />
      <Answers request={request} />
      {state === 'pending' ? <DecideBox request={request} mine={request.mayDecide} /> : null}
    </>
  );
}
