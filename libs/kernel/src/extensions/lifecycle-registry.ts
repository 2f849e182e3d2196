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
import { messageOf, WrongStackError } from '@wrongstack/contracts';
import { once } from '../disposal/disposal-scope.js';
import { isModelResponse } from '../pipeline/pipeline-values.js';
import { withinOwnTime } from '../hooks/own-time.js';
import { Patience } from '../hooks/patience.js';
import { withinDeadline } from '../hooks/with-deadline.js';

export type HookFailure = (failure: {
  readonly hook: string;
  readonly owner: string;
  readonly message: string;
}) => void;

const TIMEOUT_MS = 10_000;
/** A wrapper may ask a model of its own instead of the one that it wraps. */
const WRAPPER_MS = 300_000;

/** Milliseconds. */
export interface HookDeadlines {
  readonly hookMs?: number;
  readonly wrapperMs?: number;
}

/**
 * The eight lifecycle hooks of plugins. Each failure is reported and skipped: one bad hook never ends a run. Every hook
 * has ten seconds; `wrapProviderRunner` has five minutes of its own, in which the model's answer does not count. A hook
 * that lets three of them pass in a row is not called again.
 */
export class LifecycleRegistry {
  #all: readonly LifecycleHooks[] = [];
  readonly #onFailure: HookFailure;
  readonly #deadlines: Required<HookDeadlines>;
  readonly #patience = new Patience();

  constructor(onFailure: HookFailure = () => undefined, deadlines: HookDeadlines = {}) {
    this.#onFailure = onFailure;
    this.#deadlines = { hookMs: TIMEOUT_MS, wrapperMs: WRAPPER_MS, ...deadlines };
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
      // What it answers is looked at within the guard, here as below: it is another's object, whose getters may throw.
      const action = await this.#guarded(
        'onError',
        hooks,
        async () => (await hooks.onError?.(ctx, error, phase, index))?.action,
      );
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
      const given = current;
      const kept = await this.#guarded('beforeToolExecution', hooks, async () => {
        const answer: unknown = await hooks.beforeToolExecution?.(ctx, given);
        if (!Array.isArray(answer)) return given;
        const requested = new Set(given.map(({ id }) => id));
        return answer.filter((use): use is ToolUseBlock => requested.delete((use as ToolUseBlock).id));
      });
      current = kept ?? given;
    }
    return current;
  }

  /**
   * Wrappers stack: the last registered is outermost. One that fails before it called `inner` is passed over. Rejects with
   * the signal even where a wrapper does not end.
   */
  wrapProviderRunner(inner: ProviderRunner, signal: AbortSignal): ProviderRunner {
    return this.#all.reduce<ProviderRunner>((runner, hooks) => {
      if (hooks.wrapProviderRunner === undefined) return runner;
      if (this.#patience.isOver(hooks, 'wrapProviderRunner')) return runner;
      return (ctx, request) => this.#runWrapped(hooks, runner, ctx, request, signal);
    }, inner);
  }

  async #runWrapped(
    hooks: LifecycleHooks,
    inner: ProviderRunner,
    ctx: Context,
    request: ModelRequest,
    signal: AbortSignal,
  ): Promise<ModelResponse> {
    const hook = 'wrapProviderRunner';
    let called: Promise<ModelResponse> | undefined;
    let passedOver = false;
    const tracked: ProviderRunner = (innerContext, innerRequest) => {
      // The turn went on without it: the model would be asked, and paid, twice.
      if (passedOver)
        throw new WrongStackError('hook.late', `${hook} of ${hooks.name} called inner too late`);
      called = inner(innerContext, innerRequest);
      return called;
    };
    try {
      const what = `${hook} of ${hooks.name}`;
      const response = await withinOwnTime(what, this.#deadlines.wrapperMs, signal, (outside) =>
        hooks.wrapProviderRunner?.(ctx, request, (innerContext, innerRequest) =>
          outside(async () => tracked(innerContext, innerRequest)),
        ),
      );
      if (!isModelResponse(response)) throw new Error('it returned no answer of a model');
      this.#patience.answered(hooks, hook);
      // The check covers what the agent reads of it.
      return response as ModelResponse;
    } catch (error) {
      passedOver = true;
      if (signal.aborted) throw error;
      // The model's own failure goes up; only the wrapper's is swallowed.
      const answer = await called;
      this.#report(hook, hooks, error);
      if (answer !== undefined) return answer;
      return inner(ctx, request);
    }
  }

  async #each(hook: string, call: (hooks: LifecycleHooks) => Promise<void> | void): Promise<void> {
    for (const hooks of this.#all) await this.#guarded(hook, hooks, () => call(hooks));
  }

  async #guarded<T>(hook: string, hooks: LifecycleHooks, call: () => Promise<T> | T): Promise<T | undefined> {
    if (this.#patience.isOver(hooks, hook)) return undefined;
    try {
      const answer = await withinDeadline(`${hook} of ${hooks.name}`, this.#deadlines.hookMs, call);
      this.#patience.answered(hooks, hook);
      return answer;
    } catch (error) {
      this.#report(hook, hooks, error);
      return undefined;
    }
  }

  #report(hook: string, hooks: LifecycleHooks, error: unknown): void {
    const last = this.#patience.failed(hooks, hook, error);
    this.#onFailure({ hook, owner: hooks.owner ?? hooks.name, message: `${messageOf(error)}${last}` });
  }
}
