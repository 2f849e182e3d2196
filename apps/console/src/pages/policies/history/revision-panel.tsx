import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Fields } from '../../../parts/fields.js';
import { HostileText } from '../../../parts/hostile-text.js';
import { RelativeTime } from '../../../parts/relative-time.js';
import { SidePanel } from '../../../parts/side-panel.js';
import { TextBlock } from '../../../parts/text-block.js';
import type { Policy, Revision } from '../policies.js';
import { RevisionStateBadge } from '../publish/revision-state.js';
import { rolloutText } from '../publish/rollout-text.js';
import { RevisionChange } from './revision-change.js';

interface Props {
  readonly policy: Policy;
  readonly revision: Revision | null;
  readonly actions: ReactNode;
  readonly onClose: () => void;
}

/** One revision: who, when, why, and what it changed. */
export function RevisionPanel({ policy, revision, actions, onClose }: Props) {
  return (
    <SidePanel
      opened={revision !== null}
      title={`Revision ${revision?.revision ?? ''} of ${policy.id}`}
      onClose={onClose}
    >
      {revision === null ? null : (
        <RevisionDetails key={revision.revision} {...{ policy, revision, actions }} />
      )}
    </SidePanel>
  );
}

function RevisionDetails({
  policy,
  revision,
  actions,
}: Pick<Props, 'policy' | 'actions'> & { readonly revision: Revision }) {
  const [whole, setWhole] = useState(false);
  const { note, author, approver, createdAt, digest, rollout, text } = revision;
  return (
    <>
      <Fields
        rows={[
          ['State', <RevisionStateBadge key="state" state={revision.state} />],
          ['Note', note === null ? null : <HostileText key="note" text={note} />],
          ['By', <HostileText key="by" text={author} />],
          ['Reviewed by', approver === null ? null : <HostileText key="approver" text={approver} />],
          ['When', <RelativeTime key="at" at={createdAt} />],
          ['Rolled out to', rollout === null ? null : rolloutText(rollout)],
          ['Digest', <code key="digest">{digest}</code>],
        ]}
      />
      <Group my="md">
        <Button variant="default" aria-pressed={whole} onClick={() => setWhole(!whole)}>
          {whole ? 'Show what it changed' : 'Show the whole text'}
        </Button>
        {actions}
      </Group>
      {whole ? (
        <TextBlock label={`Text of revision ${revision.revision}`} text={text} lines={null} />
      ) : (
        <RevisionChange policy={policy} revision={revision} />
      )}
    </>
  );
}
