import { Button, Group } from '@mantine/core';
import { ProblemNote } from '../../parts/problem-note.js';

interface Props {
  readonly form: {
    readonly dirty: boolean;
    readonly busy: boolean;
    readonly error: unknown;
    readonly reload: () => void;
    readonly save: () => Promise<void>;
  };
}

/** What went wrong, and the two ways out of an edit. */
export function SaveBar({ form: { dirty, busy, error, reload, save } }: Props) {
  return (
    <>
      {error === null ? null : <ProblemNote error={error} onRetry={() => void save()} />}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" disabled={!dirty && error === null} onClick={reload}>
          Show what is saved
        </Button>
        <Button loading={busy} disabled={!dirty} onClick={() => void save()}>
          Save
        </Button>
      </Group>
    </>
  );
}
