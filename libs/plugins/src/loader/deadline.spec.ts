import { createTestingHost } from '../testing-host.js';
import { deadlineOf } from './deadline.js';
import { loadPlugins } from './load-plugins.js';

describe('deadlines of plugins', () => {
  it.each([Number.NaN, -1, 0, 0.5, Number.POSITIVE_INFINITY, 2 ** 31, '30' as never, null as never])(
    'are refused where they are none: %p',
    async (given) => {
      const host = createTestingHost();
      let began = false;
      const plugin = { name: 'p', setup: () => void (began = true) };
      for (const option of ['setupTimeoutMs', 'teardownTimeoutMs']) {
        await expect(loadPlugins([plugin], { host, [option]: given })).rejects.toMatchObject({
          code: 'plugin.invalid_deadline',
          message: expect.stringContaining(`${option} is ${String(given)}`),
        });
      }
      expect(began).toBe(false);
    },
  );

  it('are the defaults where none is given, and up to the longest that a timer can wait', () => {
    expect(deadlineOf('x', undefined, 30_000)).toBe(30_000);
    expect(deadlineOf('x', 2 ** 31 - 1, 1)).toBe(2 ** 31 - 1);
  });

  it('of a teardown are ten seconds by themselves, and the others are torn down all the same', async () => {
    const host = createTestingHost();
    const order: string[] = [];
    const loaded = await loadPlugins(
      [
        { name: 'first', setup: () => undefined, teardown: () => void order.push('first') },
        { name: 'stuck', setup: () => undefined, teardown: () => new Promise(() => undefined) },
      ],
      { host },
    );
    jest.useFakeTimers();
    let unloaded = false;
    const unloading = loaded.unloadAll().then(() => void (unloaded = true));
    await jest.advanceTimersByTimeAsync(9_999);
    expect(unloaded).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    await unloading;
    jest.useRealTimers();
    expect(order).toEqual(['first']);
    expect(loaded.list()[1]?.faults).toEqual([
      {
        code: 'plugin.teardown_timeout',
        message: 'teardown of stuck did not answer within 10000 ms',
        times: 1,
      },
    ]);
  });
});
