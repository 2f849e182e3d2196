import { Badge } from '../../parts/verdict-badge.js';
import type { Task } from './tasks.js';

const STATES = {
  queued: ['quiet', 'clock'],
  running: ['approve', 'refresh'],
  stopping: ['confirm', 'ban'],
  completed: ['allow', 'check'],
  failed: ['deny', 'ban'],
  killed: ['deny', 'ban'],
  lost: ['deny', 'alert'],
} as const;

export function TaskStateBadge({ state }: Pick<Task, 'state'>) {
  const [tone, mark] = STATES[state];
  return (
    <Badge tone={tone} mark={mark}>
      {state}
    </Badge>
  );
}
