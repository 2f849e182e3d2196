import { Button, Group, NumberInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../../parts/card.js';
import { ConfirmDialog } from '../../../parts/confirm-dialog.js';
import { HostileText } from '../../../parts/hostile-text.js';
import { RelativeTime } from '../../../parts/relative-time.js';
import { notify } from '../../../parts/notify.js';
import { useMay, useSession } from '../../../session/use-session.js';
import { RevisionChange } from '../history/revision-change.js';
import { type Policy, policyKey, type Revision } from '../policies.js';
import { advanceRevision, approveRevision, haltRevision, rejectRevision } from './publications.js';
import { RevisionStateBadge } from './revision-state.js';
import { RolloutChart } from './rollout-chart.js';
import { rolloutText } from './rollout-text.js';
import { DIALOGS, type Step } from './step-dialogs.js';

interface Props {
  readonly policy: Policy;
  readonly revision: Revision;
}

/** A revision that is not in force for everybody yet: what it waits for, how it goes, and what can be done. */
export function UnderWay({ policy, revision }: Props) {
  const { user } = useSession();
  const may = useMay();
  const queries = useQueryClient();
  const [step, setStep] = useState<Step | null>(null);
  const [percent, setPercent] = useState(revision.rollout?.percent ?? 0);
  const { revision: n, state, author, createdAt, note, rollout } = revision;
  const staged = state === 'staged';
  const mayReview = !staged && may('review:Publication') && author !== user.id;
  const maySteer = staged && may('publish:Publication');

  async function take(because: string | null): Promise<void> {
    const { id } = policy;
    const teams = rollout?.teams ?? [];
    if (step === 'approve') await approveRevision(id, n, because);
    if (step === 'reject') await rejectRevision(id, n, because ?? '');
    if (step === 'advance') await advanceRevision(id, n, { teams, percent });
    if (step === 'everybody') await advanceRevision(id, n, null);
    if (step === 'halt') await haltRevision(id, n, because ?? '');
    if (step !== null) notify({ tone: 'good', title: `Revision ${n}: ${DIALOGS[step].done}` });
    await queries.invalidateQueries({ queryKey: policyKey(id) });
  }

  const dialog = step === null ? null : DIALOGS[step];
  return (
    <Card title={`Revision ${n}`} badge={<RevisionStateBadge state={state} />}>
      <p>
        Published by <HostileText text={author} /> <RelativeTime at={createdAt} />
        {rollout === null ? '' : `, for ${rolloutText(rollout)}`}.{' '}
        {note === null ? null : <HostileText text={note} />}
      </p>
      {staged ? <RolloutChart policy={policy.id} revision={n} /> : null}
      <RevisionChange policy={policy} revision={revision} />
      {!staged && author === user.id ? (
        <p>You wrote it, so somebody else has to review it before it comes into force.</p>
      ) : null}
      <Group justify="flex-end" mt="md" align="flex-end">
        {mayReview ? (
          <>
            <Button variant="light" color="red" onClick={() => setStep('reject')}>
              Reject
            </Button>
            <Button onClick={() => setStep('approve')}>Approve</Button>
          </>
        ) : null}
        {maySteer ? (
          <>
            <Button color="red.9" onClick={() => setStep('halt')}>
              Halt
            </Button>
            <NumberInput
              label="Percent of the agents"
              w={130}
              min={rollout?.percent ?? 0}
              max={100}
              allowDecimal={false}
              value={percent}
              onChange={(value) => setPercent(Number(value))}
            />
            <Button
              variant="default"
              disabled={percent <= (rollout?.percent ?? 0)}
              onClick={() => setStep('advance')}
            >
              Take it further
            </Button>
            <Button onClick={() => setStep('everybody')}>To everybody</Button>
          </>
        ) : null}
      </Group>
      <ConfirmDialog
        opened={dialog !== null}
        title={dialog?.title ?? ''}
        confirm={dialog?.confirm ?? ''}
        danger={dialog?.danger ?? false}
        reason={dialog?.reason ?? 'none'}
        draftKey={`${step ?? 'step'}.${policy.id}.${n}`}
        onClose={() => setStep(null)}
        onConfirm={take}
      >
        {dialog?.text}
      </ConfirmDialog>
    </Card>
  );
}
