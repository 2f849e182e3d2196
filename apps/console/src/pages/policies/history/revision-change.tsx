import { useQuery } from '@tanstack/react-query';
import { DiffView } from '../../../parts/diff-view.js';
import { Loading } from '../../../parts/loading.js';
import { ProblemNote } from '../../../parts/problem-note.js';
import { type Policy, policyKey, revision as readRevision, type Revision } from '../policies.js';

/** What a revision changed against the one before it. */
export function RevisionChange({
  policy,
  revision,
}: {
  readonly policy: Policy;
  readonly revision: Revision;
}) {
  const number = revision.revision - 1;
  const before = useQuery({
    queryKey: policyKey(policy.id, 'revisions', number),
    queryFn: ({ signal }) => readRevision(policy.id, number, signal),
    enabled: number > 0,
    staleTime: Infinity,
  });
  if (before.error !== null)
    return <ProblemNote error={before.error} onRetry={() => void before.refetch()} />;
  if (number > 0 && before.data === undefined) return <Loading what="the revision before" />;
  return (
    <DiffView
      label={`What revision ${revision.revision} changed`}
      before={before.data?.text ?? null}
      after={revision.text}
    />
  );
}
