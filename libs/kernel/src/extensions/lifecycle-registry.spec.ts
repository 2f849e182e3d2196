import type { Context, ModelRequest, ModelResponse, ToolUseBlock } from '@wrongstack/contracts';
import { LifecycleRegistry } from './lifecycle-registry.js';

const ctx = {} as Context;
const request = {} as ModelRequest;
const response = { model: 'm' } as ModelResponse;
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
    const run = registry.wrapProviderRunner(async () => (seen.push('model'), response));
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
      registry.wrapProviderRunner(async () => ((asked += 1), response))(ctx, request),
    ).resolves.toBe(response);
    expect(asked).toBe(1);
    const down = registry.wrapProviderRunner(() => Promise.reject(new Error('model is down')));
    await expect(down(ctx, request)).rejects.toThrow('model is down');
  });
});
