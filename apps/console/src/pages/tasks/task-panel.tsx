import { Button } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { Fields } from '../../parts/fields.js';
import { HostileText } from '../../parts/hostile-text.js';
import { notify } from '../../parts/notify.js';
import { RelativeTime } from '../../parts/relative-time.js';
import { SidePanel } from '../../parts/side-panel.js';
import { useMay } from '../../session/use-session.js';
import { TaskOutput } from './task-output.js';
import { TaskStateBadge } from './task-state.js';
import { isOver, killTask, type Task } from './tasks.js';

interface Props {
  readonly task: Task | null;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

/** One task: what it is, what it prints, and an end to it. */
export function TaskPanel({ task, onClose, onChanged }: Props) {
  const may = useMay();
  const [killing, setKilling] = useState(false);
  return (
    <SidePanel opened={task !== null} title={<HostileText text={task?.title ?? ''} />} onClose={onClose}>
      {task === null ? null : (
        <>
          <TaskFields task={task} />
          {!isOver(task) && may('delete:Task', { own: true }) ? (
            <Button my="md" color="red" variant="light" onClick={() => setKilling(true)}>
              End this task
            </Button>
          ) : null}
          <TaskOutput key={task.id} id={task.id} onEnd={onChanged} />
          <ConfirmDialog
            opened={killing}
            title="End this task"
            confirm="End it"
            danger
            reason="none"
            draftKey={`kill.${task.id}`}
            onClose={() => setKilling(false)}
            onConfirm={async () => {
              await killTask(task.id);
              notify({ tone: 'neutral', title: 'The task is being ended' });
              onChanged();
            }}
          >
            Its processes are asked to end, and killed where they do not. What it has changed stays changed.
          </ConfirmDialog>
        </>
      )}
    </SidePanel>
  );
}

function TaskFields({ task }: { readonly task: Task }) {
  const { id, tool, state, owner, createdAt, startedAt, endedAt, exit, decision } = task;
  return (
    <Fields
      rows={[
        ['State', <TaskStateBadge key="state" state={state} />],
        ['Id', <code key="id">{id}</code>],
        ['Tool', <HostileText key="tool" text={tool} />],
        ['Whose', <HostileText key="owner" text={owner.user} />],
        ['Queued', <RelativeTime key="queued" at={createdAt} />],
        ['Started', startedAt === null ? null : <RelativeTime key="started" at={startedAt} />],
        ['Ended', endedAt === null ? null : <RelativeTime key="ended" at={endedAt} />],
        ['Exit code', exit?.exitCode ?? null],
        ['Reason', exit?.reason == null ? null : <HostileText key="reason" text={exit.reason} />],
        ['Decision', <code key="decision">{decision}</code>],
      ]}
    />
  );
}
