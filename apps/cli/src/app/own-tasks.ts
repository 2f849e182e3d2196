import { type TaskRecord, WrongStackError } from '@wrongstack/contracts';
import { OwnedTasks } from '@wrongstack/kernel';
import type { Host } from './host.js';

const SHORTEST = 3;

/**
 * All tasks in this person's folder, of whatever session: nobody else can read it, and the local user's name is vouched for
 * by nobody, so that filtering by it would only hide a person's tasks from themselves.
 */
export function personsTasks({ tasks }: Pick<Host, 'tasks'>): OwnedTasks {
  return new OwnedTasks(tasks, {});
}

/** By its id or the start of it. Throws `task.unknown`, `task.ambiguous`. */
export async function findTask(host: Pick<Host, 'tasks'>, text: string): Promise<TaskRecord> {
  const tasks = personsTasks(host);
  const exact = await tasks.get(text);
  if (exact !== null) return exact;
  const near = text.length < SHORTEST ? [] : (await tasks.list()).filter(({ id }) => id.startsWith(text));
  const [only] = near;
  if (only === undefined) {
    throw new WrongStackError('task.unknown', `there is no task ${JSON.stringify(text.slice(0, 40))}`, {
      hint: 'wstack task list',
    });
  }
  if (near.length > 1) {
    throw new WrongStackError('task.ambiguous', `${near.length} tasks begin with ${text}`, {
      hint: 'give more of the id',
    });
  }
  return only;
}
