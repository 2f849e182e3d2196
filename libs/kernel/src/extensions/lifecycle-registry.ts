import type {
  Context,
  Disposer,
  ErrorAction,
  LifecycleHooks,
  ModelRequest,
  ModelResponse,
  ProviderRunner,
  RunResult,
  ToolResult,
  ToolUseBlock,
} from '@wrongstack/contracts';
import { messageOf } from '@wrongstack/contracts';
import { once } from '../disposal/disposal-scope.js';
import { withDeadline } from '../hooks/with-deadline.js';

export type HookFailure = (failure: {
  readonly hook: string;
  readonly owner: string;
  readonly message: string;
}) => void;

const TIMEOUT_MS = 10_000;

/**
 * The eight lifecycle hooks of plugins. Each failure is reported and skipped: one bad hook never ends a run. Every hook
 * has a deadline, `wrapProviderRunner` excepted, since it spans the model's own answer.
 */
export class LifecycleRegistry {
  #all: readonly LifecycleHooks[] = [];
  readonly #onFailure: HookFailure;

  constructor(onFailure: HookFailure = () => undefined) {
    this.#onFailure = onFailure;
  }

  register(hooks: LifecycleHooks): Disposer {
    this.#all = [...this.#all, hooks];
    return once(() => {
      this.#all = this.#all.filter((one) => one !== hooks);
    });
  }

  list(): readonly { readonly name: string; readonly owner: string }[] {
    return this.#all.map(({ name, owner }) => ({ name, owner: owner ?? name }));
  }

  async beforeRun(ctx: Context, input: unknown): Promise<void> {
    await this.#each('beforeRun', (hooks) => hooks.beforeRun?.(ctx, input));
  }

  async afterRun(ctx: Context, result: RunResult): Promise<void> {
    await this.#each('afterRun', (hooks) => hooks.afterRun?.(ctx, result));
  }

  async beforeIteration(ctx: Context, index: number): Promise<void> {
    await this.#each('beforeIteration', (hooks) => hooks.beforeIteration?.(ctx, index));
  }

  async afterIteration(ctx: Context, index: number): Promise<void> {
    await this.#each('afterIteration', (hooks) => hooks.afterIteration?.(ctx, index));
  }

  async afterToolExecution(ctx: Context, outputs: readonly ToolResult[]): Promise<void> {
    await this.#each('afterToolExecution', (hooks) => hooks.afterToolExecution?.(ctx, outputs));
  }

  /** The first hook that has an opinion decides; `fail` when none has. */
  async onError(ctx: Context, error: unknown, phase: string, index: number): Promise<ErrorAction['action']> {
    for (const hooks of this.#all) {
      const answer = await this.#guarded('onError', hooks, () => hooks.onError?.(ctx, error, phase, index));
      const action = answer?.action;
      if (action === 'retry' || action === 'fail' || action === 'continue') return action;
    }
    return 'fail';
  }

  /** Each hook may filter or reorder what the previous left. A call that is not among the requested ones is dropped. */
  async beforeToolExecution(
    ctx: Context,
    toolUses: readonly ToolUseBlock[],
  ): Promise<readonly ToolUseBlock[]> {
    let current = toolUses;
    for (const hooks of this.#all) {
      const answer = await this.#guarded('beforeToolExecution', hooks, () =>
        hooks.beforeToolExecution?.(ctx, current),
      );
      if (Array.isArray(answer)) {
        const requested = new Set(current.map(({ id }) => id));
        current = (answer as readonly ToolUseBlock[]).filter((use) => requested.delete(use.id));
      }
    }
    return current;
  }

  /** Wrappers stack: the last registered is outermost. One that fails before it called `inner` is passed over. */
  wrapProviderRunner(inner: ProviderRunner): ProviderRunner {
    return this.#all.reduce<ProviderRunner>((runner, hooks) => {
      if (hooks.wrapProviderRunner === undefined) return runner;
      return (ctx, request) => this.#runWrapped(hooks, runner, ctx, request);
    }, inner);
  }

  async #runWrapped(
    hooks: LifecycleHooks,
    inner: ProviderRunner,
    ctx: Context,
    request: ModelRequest,
  ): Promise<ModelResponse> {
    let called: Promise<ModelResponse> | undefined;
    const tracked: ProviderRunner = (innerContext, innerRequest) => {
      called = inner(innerContext, innerRequest);
      return called;
    };
    try {
      const response = await hooks.wrapProviderRunner?.(ctx, request, tracked);
      if (response !== undefined) return response;
      throw new Error('it returned nothing');
    } catch (error) {
      // The model's own failure goes up; only the wrapper's is swallowed.
      if (called !== undefined) return called;
      this.#report('wrapProviderRunner', hooks, error);
      return inner(ctx, request);
    }
  }

  async #each(hook: string, call: (hooks: LifecycleHooks) => Promise<void> | void): Promise<void> {
    for (const hooks of this.#all) await this.#guarded(hook, hooks, () => call(hooks));
  }

  async #guarded<T>(hook: string, hooks: LifecycleHooks, call: () => Promise<T> | T): Promise<T | undefined> {
    try {
      return await withDeadline(`${hook} of ${hooks.name}`, TIMEOUT_MS, new AbortController().signal, call);
    } catch (error) {
      this.#report(hook, hooks, error);
      return undefined;
    }
  }

  #report(hook: string, hooks: LifecycleHooks, error: unknown): void {
    this.#onFailure({ hook, owner: hooks.owner ?? hooks.name, message: messageOf(error) });
  }
}
