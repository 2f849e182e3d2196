import { rateLimiterCases } from '../testing/rate-limiter.conformance.js';
import { LocalRateLimiter } from './local-rate-limiter.js';

describe('local rate limits', () => {
  const limiter = () => new LocalRateLimiter();

  describe('as every rate limiter', () => {
    it.each(rateLimiterCases.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
      await expect(one.run({ limiter: limiter() })).resolves.toBeUndefined();
    });
  });

  it('let so many through in any window, and say when there is room again', async () => {
    const limits = limiter();
    const take = (now: number) => limits.take('rule:user', 2, 10, now);
    expect(await take(0)).toEqual({ ok: true, retryAfterMs: 0 });
    expect(await take(4_000)).toEqual({ ok: true, retryAfterMs: 0 });
    expect(await take(6_000)).toEqual({ ok: false, retryAfterMs: 4_000 });
    expect(await take(9_999)).toEqual({ ok: false, retryAfterMs: 1 });
    expect(await take(10_000)).toEqual({ ok: true, retryAfterMs: 0 });
    expect(await take(10_001)).toEqual({ ok: false, retryAfterMs: 3_999 });
  });

  it('are not blocked for good by a clock that was set back', async () => {
    const limits = limiter();
    await limits.take('a', 1, 10, 1_000_000);
    expect(await limits.take('a', 1, 10, 0)).toEqual({ ok: false, retryAfterMs: 10_000 });
    expect((await limits.take('a', 1, 10, 10_000)).ok).toBe(true);
  });

  it('forget keys whose windows have passed', async () => {
    const limits = limiter();
    for (let n = 0; n < 5_000; n += 1) await limits.take(`key-${n}`, 1, 1, n * 10);
    expect((await limits.take('key-0', 1, 1, 50_000)).ok).toBe(true);
    expect((await limits.take('key-4999', 1, 1, 50_000)).ok).toBe(false);
  });
});
