import { Button, Group, Text } from '@mantine/core';
import { useEffect } from 'react';
import type { DraftEditing } from './use-draft-editing.js';

interface Props {
  readonly editing: DraftEditing;
  readonly onDiscard: () => void;
}

/** Whether it is saved, and what to do about it. Ctrl-S saves as well. */
export function DraftBar({ editing, onDiscard }: Props) {
  const { dirty, saving, etag, save, revert } = editing;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      if (dirty) void save();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [dirty, save]);
  return (
    <Group gap="sm">
      <Text size="sm" c="dimmed" aria-live="polite">
        {dirty ? 'Not saved yet; kept in this tab.' : etag === null ? 'As it is in force.' : 'Draft, saved.'}
      </Text>
      {dirty ? (
        <Button variant="default" onClick={revert}>
          Undo my changes
        </Button>
      ) : etag === null ? null : (
        <Button variant="default" onClick={onDiscard}>
          Throw away
        </Button>
      )}
      <Button onClick={() => void save()} loading={saving} disabled={!dirty}>
        Save the draft
      </Button>
    </Group>
  );
}
