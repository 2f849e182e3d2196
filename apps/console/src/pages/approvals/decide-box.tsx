import { Button, Group, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useDraft } from '../../parts/drafts.js';
import { notify } from '../../parts/notify.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { visibleText } from '../../parts/visible-text.js';
import { useMay } from '../../session/use-session.js';
import { type Answer, answer, type Approval, approvalKey, LISTS_KEY } from './approvals.js';
import classes from './decide-box.module.css';

const MOST_CHARACTERS = 2000;

/** Yes or no, with a reason. Nothing is chosen beforehand, and no key answers by accident. */
export function DecideBox({ request, mine }: { readonly request: Approval; readonly mine: boolean }) {
  const may = useMay();
  if (!may('decide:Approval')) return null;
  if (!mine) return <Text c="dimmed">This request does not wait for you.</Text>;
  return <Decide request={request} />;
}

function Decide({ request }: { readonly request: Approval }) {
  const queries = useQueryClient();
  const draft = useDraft(`approval.${request.id}`, '');
  const [sending, setSending] = useState<Answer | null>(null);
  const [error, setError] = useState<unknown>(null);

  async function send(decision: Answer): Promise<void> {
    setSending(decision);
    setError(null);
    const words = draft.text.trim();
    try {
      const now = await answer(request.id, decision, words === '' ? null : words);
      draft.clear();
      queries.setQueryData(approvalKey(request.id), now);
      notify({ tone: 'good', title: SAID[decision], text: visibleText(request.title).slice(0, 120) });
    } catch (failure) {
      setError(failure);
      // Somebody may have been quicker: how it is now says more than the refusal.
      void queries.invalidateQueries({ queryKey: approvalKey(request.id) });
    } finally {
      setSending(null);
      void queries.invalidateQueries({ queryKey: LISTS_KEY });
    }
  }

  return (
    <section aria-label="Your answer" className={classes['box']}>
      <Textarea
        label="Reason"
        description="Recorded in the audit log, and shown to whoever asked."
        autosize
        minRows={2}
        maxRows={8}
        maxLength={MOST_CHARACTERS}
        value={draft.text}
        onChange={({ currentTarget }) => draft.set(currentTarget.value)}
      />
      {error === null ? null : <ProblemNote error={error} />}
      <Group justify="flex-end" gap="sm">
        <Button
          color="red"
          variant="light"
          loading={sending === 'reject'}
          disabled={sending === 'approve'}
          onClick={() => void send('reject')}
        >
          Reject
        </Button>
        <Button
          color="pine"
          loading={sending === 'approve'}
          disabled={sending === 'reject'}
          onClick={() => void send('approve')}
        >
          Approve
        </Button>
      </Group>
    </section>
  );
}

const SAID: Readonly<Record<Answer, string>> = { approve: 'You said yes', reject: 'You said no' };
