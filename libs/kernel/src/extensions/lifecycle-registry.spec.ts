import type { Context, ModelRequest, ModelResponse, ToolUseBlock } from '@wrongstack/contracts';
import { LifecycleRegistry } from './lifecycle-registry.js';

const ctx = {} as Context;
const request = {} as ModelRequest;
const response = { model: 'm' } as ModelResponse;
const never = new AbortController().signal;
const use = (id: string) => ({ type: 'tool_use', id, name: 'read', input: {} }) as ToolUseBlock;

describe('LifecycleRegistry', () => {
  it('reports a hook that fails and runs the others', async () => {
    const failures: unknown[] = [];
    const registry = new LifecycleRegistry((failure) => failures.push(failure));
    const heard: string[] = [];
    registry.register({ name: 'bad', owner: 'p', beforeRun: () => Promise.reject(new Error('broken')) });
    registry.register({ name: 'good', beforeRun: () => void heard.push('ran') });
    await registry.beforeRun(ctx, 'hi');
    expect(heard).toEqual(['ran']);
    expect(failures).toEqual([{ hook: 'beforeRun', owner: 'p', message: 'broken' }]);
  });

  it('lets the first hook with an opinion decide about an error, and fails without one', async () => {
    const registry = new LifecycleRegistry();
    await expect(registry.onError(ctx, new Error(), 'provider', 0)).resolves.toBe('fail');
    registry.register({ name: 'silent', onError: () => undefined });
    registry.register({ name: 'nonsense', onError: () => ({ action: 'explode' }) as never });
    registry.register({ name: 'retry', onError: () => ({ action: 'retry' }) });
    await expect(registry.onError(ctx, new Error(), 'provider', 0)).resolves.toBe('retry');
  });

  it('lets a hook filter and reorder requested calls, not invent or repeat them', async () => {
    const registry = new LifecycleRegistry();
    registry.register({
      name: 'h',
      beforeToolExecution: (_ctx, [a, , c]) => [c, a, a, use('invented')] as ToolUseBlock[],
    });
    const kept = await registry.beforeToolExecution(ctx, [use('1'), use('2'), use('3')]);
    expect(kept.map(({ id }) => id)).toEqual(['3', '1']);
  });

  it('stacks provider wrappers, and passes over one that fails before it called the model', async () => {
    const registry = new LifecycleRegistry();
    const seen: string[] = [];
    registry.register({ name: 'broken', wrapProviderRunner: () => Promise.reject(new Error('broken')) });
    registry.register({
      name: 'outer',
      wrapProviderRunner: async (innerContext, innerRequest, inner) => {
        seen.push('outer');
        return inner(innerContext, innerRequest);
      },
    });
    const run = registry.wrapProviderRunner(async () => (seen.push('model'), response), never);
    await expect(run(ctx, request)).resolves.toBe(response);
    expect(seen).toEqual(['outer', 'model']);
  });

  it('asks the model once where a wrapper fails after it, and lets the model’s own failure through', async () => {
    const registry = new LifecycleRegistry();
    registry.register({
      name: 'late',
      wrapProviderRunner: async (innerContext, innerRequest, inner) => {
        await inner(innerContext, innerRequest);
        throw new Error('late');
      },
    });
    let asked = 0;
    await expect(
      registry.wrapProviderRunner(async () => ((asked += 1), response), never)(ctx, request),
    ).resolves.toBe(response);
    expect(asked).toBe(1);
    const down = registry.wrapProviderRunner(() => Promise.reject(new Error('model is down')), never);
    await expect(down(ctx, request)).rejects.toThrow('model is down');
  });

  describe('a hook that never answers', () => {
    const silent = () => new Promise<never>(() => undefined);

    it('costs its deadline three times, is named, and is not asked again until it is registered anew', async () => {
      const failures: string[] = [];
      let asked = 0;
      const hooks = { name: 'mute', owner: 'p', beforeIteration: () => ((asked += 1), silent()) };
      const registry = new LifecycleRegistry(({ message }) => failures.push(message), { hookMs: 10 });
      const dispose = registry.register(hooks);
      for (let turn = 0; turn < 10; turn += 1) await registry.beforeIteration(ctx, turn);
      const late = 'beforeIteration of mute did not answer within 10 ms';
      expect(failures).toEqual([late, late, `${late}; it is not asked again`]);
      expect(asked).toBe(3);
      dispose();
      registry.register({ ...hooks });
      await registry.beforeIteration(ctx, 10);
      expect(asked).toBe(4);
    });

    it('keeps its other hooks, and its chances where it answers in between', async () => {
      const heard: string[] = [];
      let turn = 0;
      const registry = new LifecycleRegistry(undefined, { hookMs: 10 });
      registry.register({
        name: 'moody',
        beforeIteration: () => ((turn += 1), turn % 3 === 0 ? undefined : silent()),
        afterIteration: () => void heard.push('after'),
      });
      for (let index = 0; index < 9; index += 1) {
        await registry.beforeIteration(ctx, index);
        await registry.afterIteration(ctx, index);
      }
      expect([turn, heard.length]).toEqual([9, 9]);
    });

    it('in the place of the model is passed over after its own time, and asks no model afterwards', async () => {
      let late: () => Promise<unknown> = silent;
      const failures: string[] = [];
      const registry = new LifecycleRegistry(({ message }) => failures.push(message), { wrapperMs: 10 });
      registry.register({
        name: 'mute',
        wrapProviderRunner: (innerContext, innerRequest, inner) => {
          late = () => inner(innerContext, innerRequest);
          return silent();
        },
      });
      let asked = 0;
      const run = registry.wrapProviderRunner(async () => ((asked += 1), response), never);
      await expect(run(ctx, request)).resolves.toBe(response);
      await expect(late()).rejects.toMatchObject({ code: 'hook.late' });
      expect([asked, failures]).toEqual([1, ['wrapProviderRunner of mute did not answer within 10 ms']]);
    });

    it('leaves the model the time that the model needs', async () => {
      const registry = new LifecycleRegistry(undefined, { wrapperMs: 20 });
      registry.register({
        name: 'through',
        wrapProviderRunner: (context, sent, inner) => inner(context, sent),
      });
      let asked = 0;
      const slow = async () => {
        asked += 1;
        await new Promise((resolve) => setTimeout(resolve, 120));
        return response;
      };
      await expect(registry.wrapProviderRunner(slow, never)(ctx, request)).resolves.toBe(response);
      expect(asked).toBe(1);
    });

    it('does not hold an interrupted run', async () => {
      const registry = new LifecycleRegistry();
      registry.register({ name: 'mute', wrapProviderRunner: silent });
      const controller = new AbortController();
      const run = registry.wrapProviderRunner(async () => response, controller.signal)(ctx, request);
      controller.abort(new DOMException('interrupted', 'AbortError'));
      await expect(run).rejects.toMatchObject({ name: 'AbortError' });
    });
  });
});
