import type { LifecycleHooks } from '@wrongstack/contracts';

export const HOOKS = [
  'beforeRun',
  'afterRun',
  'beforeIteration',
  'afterIteration',
  'onError',
  'wrapProviderRunner',
  'beforeToolExecution',
  'afterToolExecution',
] as const satisfies readonly (keyof LifecycleHooks)[];

/** Each hook as it is now, run on the author's own object: hooks may be the methods of a class. */
export function ownHooks(hooks: LifecycleHooks, owner: string): LifecycleHooks {
  const own: Record<string, unknown> = { name: hooks.name, owner };
  for (const hook of HOOKS) {
    const method: unknown = Reflect.get(hooks, hook);
    if (typeof method === 'function')
      own[hook] = (...given: unknown[]): unknown => Reflect.apply(method, hooks, given) as unknown;
  }
  // A name, and hooks that take and give what the author's own do.
  return own as unknown as LifecycleHooks;
}
