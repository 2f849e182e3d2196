import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { ProblemNote } from './problem-note.js';
import { useSending } from './use-sending.js';

interface Props {
  readonly children: ReactNode;
  /** What the button says. */
  readonly submit: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** Rejects with what the API refused: it is shown, and what was typed stays. */
  readonly onSend: () => Promise<unknown>;
  /** Missing = there is nothing to go back to. */
  readonly onCancel?: () => void;
}

/** Fields, what was wrong with them, and the way on: every form that sends something to the API. */
export function SendForm({ children, submit, danger = false, disabled = false, onSend, onCancel }: Props) {
  const { busy, error, send } = useSending();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send(onSend);
      }}
    >
      {children}
      {error === null ? null : <ProblemNote error={error} onRetry={() => void send(onSend)} />}
      <Group justify="flex-end" mt="lg">
        {onCancel === undefined ? null : (
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" color={danger ? 'red.9' : 'ink'} loading={busy} disabled={disabled}>
          {submit}
        </Button>
      </Group>
    </form>
  );
}
