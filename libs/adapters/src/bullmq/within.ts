import { setTimeout as sleep } from 'node:timers/promises';
import { WrongStackError } from '@wrongstack/contracts';

/** The work's outcome, or `task.late` when there is none after `ms`; the work itself goes on. */
export async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  const controller = new AbortController();
  const late = sleep(ms, undefined, { signal: controller.signal }).then(() => {
    throw new WrongStackError('task.late', `no answer within ${ms} ms`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    controller.abort();
    late.catch(() => undefined);
  }
}
