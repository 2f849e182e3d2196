import type { LifecycleHooks } from '@wrongstack/contracts';

/** Each hook as it is now, run on the author's own object: hooks may be the methods of a class. */
export function ownHooks(hooks: LifecycleHooks, owner: string): LifecycleHooks {
  const { name, beforeRun, afterRun, beforeIteration, afterIteration } = hooks;
  const { onError, wrapProviderRunner, beforeToolExecution, afterToolExecution } = hooks;
  return {
    name,
    owner,
    ...(beforeRun && { beforeRun: beforeRun.bind(hooks) }),
    ...(afterRun && { afterRun: afterRun.bind(hooks) }),
    ...(beforeIteration && { beforeIteration: beforeIteration.bind(hooks) }),
    ...(afterIteration && { afterIteration: afterIteration.bind(hooks) }),
    ...(onError && { onError: onError.bind(hooks) }),
    ...(wrapProviderRunner && { wrapProviderRunner: wrapProviderRunner.bind(hooks) }),
    ...(beforeToolExecution && { beforeToolExecution: beforeToolExecution.bind(hooks) }),
    ...(afterToolExecution && { afterToolExecution: afterToolExecution.bind(hooks) }),
  };
}
