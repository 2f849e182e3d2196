import { WrongStackError } from '@wrongstack/contracts';

/** The work's outcome, or `task.late` when there is none after `ms`; the work itself goes on. */
export function within<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new WrongStackError('task.late', `no answer within ${ms} ms`)),
      Math.max(1, ms),
    );
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
