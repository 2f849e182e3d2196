import { type TaskId, type TaskRecord, WrongStackError } from '@wrongstack/contracts';

/** What every queue answers to the same mistakes, in the same words. */

/** For the setting's name and for whom to ask it has to say whose limit it is. */
export function tooManyTasks(most: number, whose: 'owner' | 'tenant'): WrongStackError {
  const who = whose === 'owner' ? 'you have' : 'your organisation has';
  const what = whose === 'owner' ? 'wait for one or kill one' : 'wait until some have ended';
  return new WrongStackError(
    'task.limit',
    `${who} ${most} tasks that have not ended, and more are not taken; ${what}`,
  );
}

export function cursorError(id: TaskId, cursor: number, end: number): WrongStackError {
  return new WrongStackError(
    'task.cursor',
    `cursor ${cursor} lies beyond the output of task ${id}, which ends at ${end}; ask from there, or from 0`,
  );
}

/** The task that has the key already, if it is the same one that is asked for. */
export function holderOfKey(holder: TaskId, known: TaskRecord | null, asked: TaskRecord): TaskRecord {
  if (known === null)
    throw new WrongStackError('task.gone', `task ${holder} was removed meanwhile; try again`);
  if (known.tool === asked.tool && known.inputDigest === asked.inputDigest) return known;
  throw new WrongStackError(
    'task.key_conflict',
    `the key of task ${holder} was used with another input; take a new key`,
  );
}
