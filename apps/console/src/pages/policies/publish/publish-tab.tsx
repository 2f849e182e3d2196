import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../../parts/empty-state.js';
import { Loading } from '../../../parts/loading.js';
import { ProblemNote } from '../../../parts/problem-note.js';
import { useMay } from '../../../session/use-session.js';
import { type Policy, policyKey, revisions } from '../policies.js';
import { draftKey, readDraft } from '../draft.js';
import { PublishForm } from './publish-form.js';
import { UnderWay } from './under-way.js';

const LOOK_EVERY_MS = 5_000;

/** What is on its way into force, and what could be next. Default export for `lazy`. */
export default function PublishTab({ policy }: { readonly policy: Policy }) {
  const { id } = policy;
  const mayPublish = useMay()('publish:Publication');
  const draft = useQuery({ queryKey: draftKey(id), queryFn: ({ signal }) => readDraft(id, signal) });
  // What is under way is among the newest; others may move it while this page is open.
  const newest = useQuery({
    queryKey: policyKey(id, 'newest'),
    queryFn: ({ signal }) => revisions(id, undefined, signal),
    refetchInterval: LOOK_EVERY_MS,
  });
  const error = draft.error ?? newest.error;
  if (error !== null) return <ProblemNote error={error} onRetry={() => void newest.refetch()} />;
  if (draft.data === undefined || newest.data === undefined) return <Loading what="what is under way" />;
  const moving = newest.data.items.filter(({ state }) => state === 'awaiting' || state === 'staged');
  return (
    <>
      {moving.map((revision) => (
        <UnderWay key={revision.revision} policy={policy} revision={revision} />
      ))}
      {draft.data !== null && mayPublish ? (
        <PublishForm policy={policy} draft={draft.data} />
      ) : moving.length === 0 ? (
        <EmptyState icon="policies" title="Nothing is on its way">
          {draft.data === null
            ? 'There is no draft. Change the rules first; a saved draft can be published here.'
            : 'There is a draft; somebody who may publish can bring it into force.'}
        </EmptyState>
      ) : null}
    </>
  );
}
