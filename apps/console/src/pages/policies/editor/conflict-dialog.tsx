import { Button, Group, Modal, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { HostileText } from '../../../parts/hostile-text.js';
import { RelativeTime } from '../../../parts/relative-time.js';
import { TextBlock } from '../../../parts/text-block.js';
import { type Choice, conflictsIn, resolved } from './merge.js';
import type { OpenConflict } from './use-draft-editing.js';
import classes from './conflict-dialog.module.css';

const CHOICES = [
  { value: 'theirs', label: 'Theirs' },
  { value: 'mine', label: 'Mine' },
  { value: 'both', label: 'Both' },
];

interface Props {
  readonly conflict: OpenConflict | null;
  readonly onSettle: (text: string) => void;
}

/** Two people changed the same lines. Nothing is saved before somebody has chosen, and nothing of either is lost. */
export function ConflictDialog({ conflict, onSettle }: Props) {
  return (
    <Modal
      opened={conflict !== null}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      size="xl"
      title="Two edits of the same lines"
    >
      {conflict === null ? null : <Conflicts key={conflict.current.etag} {...conflict} onSettle={onSettle} />}
    </Modal>
  );
}

function Conflicts({ regions, current, onSettle }: OpenConflict & Pick<Props, 'onSettle'>) {
  const conflicts = conflictsIn(regions);
  const [choices, setChoices] = useState<readonly Choice[]>(() => conflicts.map(() => 'both'));
  return (
    <>
      <Text size="sm">
        <HostileText text={current.author} /> saved this draft <RelativeTime at={current.savedAt} />. What
        only one of you changed is merged. For the rest, choose; afterwards you can still edit all of it.
      </Text>
      {conflicts.map(({ mine, theirs }, index) => (
        <section key={index} className={classes['conflict']} aria-label={`Conflict ${index + 1}`}>
          <div className={classes['sides']}>
            <TextBlock label="Theirs" text={linesOf(theirs)} />
            <TextBlock label="Mine" text={linesOf(mine)} />
          </div>
          <SegmentedControl
            aria-label={`What to take, ${index + 1} of ${conflicts.length}`}
            data={CHOICES}
            value={choices[index] ?? 'both'}
            onChange={(choice) => setChoices(choices.with(index, choice as Choice))}
          />
        </section>
      ))}
      <Group justify="flex-end" mt="lg">
        <Button onClick={() => onSettle(resolved(regions, choices))}>Merge, and go on editing</Button>
      </Group>
    </>
  );
}

function linesOf(lines: readonly string[]): string {
  return lines.length === 0 ? '(removed)' : lines.join('\n');
}
