import { Button, Group, Modal, Text, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useDraft } from './drafts.js';
import { ProblemNote } from './problem-note.js';

interface Props {
  readonly opened: boolean;
  readonly title: string;
  /** What will happen, and whether it can be undone. */
  readonly children: ReactNode;
  readonly confirm: string;
  readonly danger?: boolean;
  /** `required`: without words nothing is sent. */
  readonly reason?: 'none' | 'optional' | 'required';
  readonly reasonLabel?: string;
  /** Under which name what was typed is kept. */
  readonly draftKey: string;
  /** Rejects with what the API refused; the dialog stays and shows it. */
  readonly onConfirm: (reason: string | null) => Promise<unknown>;
  readonly onClose: () => void;
}

const MOST_CHARACTERS = 2000;

/** The last word before something is done to others, with the reason that they will read. */
export function ConfirmDialog(props: Props) {
  const { opened, title, children, confirm, danger = false, onConfirm, onClose } = props;
  const { reason = 'optional', reasonLabel = 'Reason', draftKey } = props;
  const draft = useDraft(draftKey, '');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const words = draft.text.trim();

  async function send(): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      await onConfirm(words === '' ? null : words);
      draft.clear();
      onClose();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Modal opened={opened} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <Text size="sm" component="div">
          {children}
        </Text>
        {reason === 'none' ? null : (
          <Textarea
            mt="md"
            label={reasonLabel}
            description="Recorded, and shown to whoever asked."
            autosize
            minRows={2}
            maxLength={MOST_CHARACTERS}
            required={reason === 'required'}
            value={draft.text}
            onChange={({ currentTarget }) => draft.set(currentTarget.value)}
            data-autofocus
          />
        )}
        {error === null ? null : <ProblemNote error={error} />}
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            color={danger ? 'red.9' : 'ink'}
            loading={busy}
            disabled={reason === 'required' && words === ''}
          >
            {confirm}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
