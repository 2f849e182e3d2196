import { Alert, Group, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { CodeEditor } from '../../../parts/editor/code-editor.js';
import { ConfirmDialog } from '../../../parts/confirm-dialog.js';
import { DiffView } from '../../../parts/diff-view.js';
import { Loading } from '../../../parts/loading.js';
import { ProblemNote } from '../../../parts/problem-note.js';
import { useMay } from '../../../session/use-session.js';
import { activeText, type Policy, policyKey } from '../policies.js';
import { CheckPanel } from './check-panel.js';
import { ConflictDialog } from './conflict-dialog.js';
import { DraftBar } from './draft-bar.js';
import { useCheck } from './use-check.js';
import { useDiscard } from './use-discard.js';
import { type DraftEditing, useDraftEditing } from './use-draft-editing.js';
import { usePolicyLanguage } from './use-policy-language.js';
import classes from './draft-tab.module.css';

const PolicyForm = lazy(() => import('../form/policy-form.js'));

const VIEWS = [
  { value: 'text', label: 'Text' },
  { value: 'form', label: 'Form' },
  { value: 'diff', label: 'Changes' },
] as const;
type View = (typeof VIEWS)[number]['value'];

/** The text in force, and the draft that is written on top of it. Default export for `lazy`. */
export default function DraftTab({ policy }: { readonly policy: Policy }) {
  const { id, activeRevision } = policy;
  const active = useQuery({
    queryKey: policyKey(id, 'active', activeRevision),
    queryFn: ({ signal }) => activeText(policy, signal),
    staleTime: Infinity,
  });
  if (active.error !== null)
    return <ProblemNote error={active.error} onRetry={() => void active.refetch()} />;
  if (active.data === undefined) return <Loading what="the rules" />;
  return <Editing policy={policy} inForce={active.data} />;
}

function Editing({ policy, inForce }: { readonly policy: Policy; readonly inForce: string }) {
  const editing = useDraftEditing(policy.id, inForce);
  return editing === null ? <Loading what="the draft" /> : <Editor {...{ policy, inForce, editing }} />;
}

interface Props {
  readonly policy: Policy;
  readonly inForce: string;
  readonly editing: DraftEditing;
}

function Editor({ policy, inForce, editing }: Props) {
  const [view, setView] = useState<View>('text');
  const may = useMay();
  const mayWrite = may('update:Policy');
  const check = useCheck(policy.id, editing.text);
  const extensions = usePolicyLanguage(check.problems);
  const discard = useDiscard(policy.id, editing);
  const { error, newerBy } = editing;
  return (
    <div className={classes['columns']}>
      <div className={classes['main']}>
        <Group justify="space-between" align="center">
          <SegmentedControl
            aria-label="How to look at it"
            data={[...VIEWS]}
            value={view}
            onChange={(value) => setView(value)}
          />
          {mayWrite ? <DraftBar editing={editing} onDiscard={discard.ask} /> : null}
        </Group>
        {newerBy === null ? null : (
          <Alert color="yellow" variant="light">
            {newerBy} has saved this draft since you began. When you save, both changes are merged first.
          </Alert>
        )}
        {error === null ? null : <ProblemNote error={error} onRetry={() => void editing.save()} />}
        {view === 'text' ? (
          <CodeEditor
            label={`Text of ${policy.id}`}
            language="yaml"
            value={editing.text}
            onChange={editing.set}
            readOnly={!mayWrite}
            extensions={extensions}
          />
        ) : view === 'form' ? (
          <Suspense fallback={<Loading what="the form" />}>
            <PolicyForm text={editing.text} readOnly={!mayWrite} onChange={editing.set} />
          </Suspense>
        ) : (
          <DiffView label="What this draft changes" before={inForce} after={editing.text} />
        )}
      </div>
      <CheckPanel check={check} />
      <ConflictDialog conflict={editing.conflict} onSettle={editing.settle} />
      <ConfirmDialog
        opened={discard.asking}
        title="Throw the draft away"
        confirm="Throw away"
        danger
        reason="none"
        draftKey={`discard.${policy.id}`}
        onClose={discard.cancel}
        onConfirm={discard.confirm}
      >
        The draft is gone for everybody. What is in force stays as it is.
      </ConfirmDialog>
    </div>
  );
}
