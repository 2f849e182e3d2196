import { Group, NumberInput, Radio, TagsInput, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../../parts/card.js';
import { DiffView } from '../../../parts/diff-view.js';
import { useDraft } from '../../../parts/drafts.js';
import { HostileText } from '../../../parts/hostile-text.js';
import { Loading } from '../../../parts/loading.js';
import { notify } from '../../../parts/notify.js';
import { RelativeTime } from '../../../parts/relative-time.js';
import { SendForm } from '../../../parts/send-form.js';
import { activeText, type Draft, type Policy, policyKey } from '../policies.js';
import { publish } from './publications.js';

type Reach = 'everybody' | 'some';

const DONE = {
  awaiting: 'awaits the review of somebody else',
  staged: 'is in force for some, and can be taken further here',
  active: 'is in force',
} as const;

/** Whatever is published is read once more by whoever publishes it. */
export function PublishForm({ policy, draft }: { readonly policy: Policy; readonly draft: Draft }) {
  const { id, newestRevision, activeRevision } = policy;
  const queries = useQueryClient();
  const note = useDraft(`publish.${id}`, '');
  const [reach, setReach] = useState<Reach>('everybody');
  const [percent, setPercent] = useState(10);
  const [teams, setTeams] = useState<string[]>([]);
  const active = useQuery({
    queryKey: policyKey(id, 'active', activeRevision),
    queryFn: ({ signal }) => activeText(policy, signal),
    staleTime: Infinity,
  });

  async function send(): Promise<void> {
    const words = note.text.trim();
    const made = await publish(
      id,
      {
        expectedRevision: newestRevision,
        note: words === '' ? null : words,
        rollout: reach === 'everybody' ? null : { teams, percent },
      },
      // The same draft on top of the same revision is the same publication, however often somebody clicks.
      `console.${id}.${newestRevision}.${draft.etag.replace(/\W/g, '')}`,
    );
    note.clear();
    const how = DONE[made.state as keyof typeof DONE] as string | undefined;
    notify({ tone: 'good', title: `Revision ${made.revision} ${how ?? 'was published'}` });
    await queries.invalidateQueries({ queryKey: policyKey(id) });
  }

  return (
    <Card title="Publish the draft">
      <p>
        Saved by <HostileText text={draft.author} /> <RelativeTime at={draft.savedAt} />. Its tests run first;
        where one fails, nothing is published.
      </p>
      {active.data === undefined ? (
        <Loading what="what is in force" />
      ) : (
        <DiffView label="What would change" before={active.data} after={draft.text} />
      )}
      <SendForm submit="Publish" onSend={send}>
        <Textarea
          mt="md"
          label="Note"
          description="What changes, for those who read the history."
          autosize
          maxLength={400}
          value={note.text}
          onChange={({ currentTarget }) => note.set(currentTarget.value)}
        />
        <Radio.Group
          mt="md"
          label="For whom"
          value={reach}
          onChange={(value) => setReach(value === 'some' ? 'some' : 'everybody')}
        >
          <Radio mt="xs" value="everybody" label="Everybody at once" />
          <Radio
            mt="xs"
            value="some"
            label="Some first; more when it has gone well. A spike of denials halts it by itself."
          />
        </Radio.Group>
        {reach === 'some' ? (
          <Group mt="sm" align="flex-start">
            <NumberInput
              label="Percent of the agents"
              min={0}
              max={100}
              clampBehavior="strict"
              allowDecimal={false}
              value={percent}
              onChange={(value) => setPercent(Number(value))}
            />
            <TagsInput label="Teams that have it whole" value={teams} onChange={setTeams} />
          </Group>
        ) : null}
      </SendForm>
    </Card>
  );
}
