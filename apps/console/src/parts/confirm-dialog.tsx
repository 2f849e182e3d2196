import { Modal, Text, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { useDraft } from './drafts.js';
import { SendForm } from './send-form.js';

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
  const words = draft.text.trim();

  async function send(): Promise<void> {
    await onConfirm(words === '' ? null : words);
    draft.clear();
    onClose();
  }

  return (
    <Modal opened={opened} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <SendForm
        submit={confirm}
        danger={danger}
        disabled={reason === 'required' && words === ''}
        onSend={send}
        onCancel={onClose}
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
      </SendForm>
    </Modal>
  );
}
