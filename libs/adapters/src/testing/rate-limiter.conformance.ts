import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RateLimiter } from '@wrongstack/contracts';
import { type ConformanceCase, rejectsWithCode } from './conformance-case.js';

export interface RateLimiterHarness {
  readonly limiter: RateLimiter;
}

const take = (limiter: RateLimiter, key: string, max: number, perSeconds: number) =>
  limiter.take(key, max, perSeconds, Date.now());

export const rateLimiterCases: readonly ConformanceCase<RateLimiterHarness>[] = [
  {
    name: 'so many are let through in any window, and it is said when there is room again',
    run: async ({ limiter }) => {
      assert.deepEqual(await take(limiter, 'k', 2, 1), { ok: true, retryAfterMs: 0 });
      assert.deepEqual(await take(limiter, 'k', 2, 1), { ok: true, retryAfterMs: 0 });
      const refused = await take(limiter, 'k', 2, 1);
      assert.equal(refused.ok, false);
      assert(refused.retryAfterMs > 0 && refused.retryAfterMs <= 1_000);
      await sleep(refused.retryAfterMs + 50);
      assert.equal((await take(limiter, 'k', 2, 1)).ok, true);
    },
  },
  {
    name: 'who is refused uses nothing up',
    run: async ({ limiter }) => {
      await take(limiter, 'k', 1, 1);
      for (let turn = 0; turn < 5; turn += 1) {
        assert.equal((await take(limiter, 'k', 1, 1)).ok, false);
        await sleep(100);
      }
      await sleep(600);
      assert.equal((await take(limiter, 'k', 1, 1)).ok, true);
    },
  },
  {
    name: 'of many at the same time no more than so many are let through',
    run: async ({ limiter }) => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => take(limiter, 'k', 7, 60)));
      assert.equal(answers.filter(({ ok }) => ok).length, 7);
    },
  },
  {
    name: 'each key counts for itself, whatever it holds',
    run: async ({ limiter }) => {
      for (const key of ['a', 'b', '["rule","user","ä €"]', '{a}', '', 'a'.repeat(10_000)]) {
        assert.equal((await take(limiter, key, 1, 60)).ok, true);
        assert.equal((await take(limiter, key, 1, 60)).ok, false);
      }
    },
  },
  {
    name: 'a limit of nothing lets nothing through',
    run: async ({ limiter }) => {
      assert.deepEqual(await take(limiter, 'k', 0, 10), { ok: false, retryAfterMs: 10_000 });
    },
  },
  {
    name: 'what is no limit is refused',
    run: async ({ limiter }) => {
      for (const [max, perSeconds, now] of [
        [Number.NaN, 10, 0],
        [-1, 10, 0],
        [1, 0, 0],
        [1, Number.NaN, 0],
        [1, 10, Number.NaN],
      ] as const) {
        await rejectsWithCode(limiter.take('k', max, perSeconds, now), 'rate_limit.bad_limit');
      }
    },
  },
];
