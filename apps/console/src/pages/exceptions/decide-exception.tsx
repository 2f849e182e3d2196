import { Button, Group, NativeSelect, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useDraft } from '../../parts/drafts.js';
import { notify } from '../../parts/notify.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { useSending } from '../../parts/use-sending.js';
import { decide, type ExceptionRequest } from './exceptions.js';

const HOUR_MS = 3_600_000;
const ENDS = [
  { value: '1', label: 'an hour from now' },
  { value: '8', label: '8 hours from now' },
  { value: '24', label: 'a day from now' },
  { value: '168', label: '7 days from now' },
  { value: '720', label: '30 days from now' },
] as const;
/** As whoever asked wants it. */
const AS_ASKED = '';
const MOST_CHARACTERS = 2000;

interface Props {
  readonly request: ExceptionRequest;
  readonly onDecided: (request: ExceptionRequest) => void;
}

/** Yes until a time, or no. A yes is written into the policy as an exception of exactly this call. */
export function DecideException({ request: { id, wantedUntil }, onDecided }: Props) {
  const note = useDraft(`exception.${id}`, '');
  const [hours, setHours] = useState<string>(wantedUntil === null ? ENDS[0].value : AS_ASKED);
  const { busy, error, send } = useSending();

  function answer(decision: 'grant' | 'refuse'): void {
    void send(async () => {
      const words = note.text.trim();
      const until = new Date(Date.now() + Number(hours) * HOUR_MS).toISOString();
      const decided = await decide(id, {
        decision,
        note: words === '' ? null : words,
        ...(decision === 'grant' && hours !== AS_ASKED ? { until } : {}),
      });
      note.clear();
      notify({ tone: 'good', title: decision === 'grant' ? 'The exception is granted' : 'You said no' });
      onDecided(decided);
    });
  }

  return (
    <section aria-label="Your answer">
      <NativeSelect
        mt="md"
        label="Until"
        description="An exception ends by itself: 90 days from now at the latest."
        data={[...(wantedUntil === null ? [] : [{ value: AS_ASKED, label: 'as asked for' }]), ...ENDS]}
        value={hours}
        onChange={({ currentTarget }) => setHours(currentTarget.value)}
      />
      <Textarea
        mt="sm"
        label="Note"
        description="Recorded in the audit log, and shown to whoever asked."
        autosize
        minRows={2}
        maxLength={MOST_CHARACTERS}
        value={note.text}
        onChange={({ currentTarget }) => note.set(currentTarget.value)}
      />
      {error === null ? null : <ProblemNote error={error} />}
      <Group justify="flex-end" mt="lg">
        <Button color="red" variant="light" disabled={busy} onClick={() => answer('refuse')}>
          Refuse
        </Button>
        <Button color="pine" loading={busy} onClick={() => answer('grant')}>
          Grant
        </Button>
      </Group>
    </section>
  );
}
