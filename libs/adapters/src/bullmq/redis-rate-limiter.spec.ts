import { silentLogger } from '@wrongstack/contracts';
import { rateLimiterCases } from '../testing/rate-limiter.conformance.js';
import { redisMissing, RedisServer } from '../testing/redis-server.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';

jest.setTimeout(60_000);

const missing = redisMissing(process.env);
const withRedis = missing === null ? describe : describe.skip;
if (missing !== null) it.skip(missing, () => undefined);

withRedis('RedisRateLimiter', () => {
  let server: RedisServer;
  const opened: RedisRateLimiter[] = [];
  beforeEach(async () => {
    server = await RedisServer.start();
  });
  afterEach(async () => {
    for (const limiter of opened.splice(0)) limiter.close();
    await server.remove();
  });
  const open = async (): Promise<RedisRateLimiter> => {
    const limiter = await RedisRateLimiter.open({ url: server.url, log: silentLogger, timeoutMs: 500 });
    opened.push(limiter);
    return limiter;
  };

  describe('as every rate limiter', () => {
    it.each(rateLimiterCases.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
      await expect(one.run({ limiter: await open() })).resolves.toBeUndefined();
    });
  });

  it('counts for all processes together, by a clock that is not theirs', async () => {
    const [one, two] = [await open(), await open()];
    expect((await one.take('k', 2, 60, Date.now())).ok).toBe(true);
    expect((await two.take('k', 2, 60, Date.now() - 86_400_000)).ok).toBe(true);
    expect((await one.take('k', 2, 60, Date.now() + 86_400_000)).ok).toBe(false);
  });

  it.each([
    ['stands still', async () => server.signal('SIGSTOP'), async () => server.signal('SIGCONT')],
    ['is gone', () => server.down(), () => server.up()],
  ])('rejects at once while Redis %s, and counts again after it', async (_what, away, back) => {
    const limiter = await open();
    await away();
    await expect(limiter.take('k', 1, 60, 0)).rejects.toMatchObject({ code: 'rate_limit.unavailable' });
    await back();
    let first = null;
    for (let turn = 0; turn < 100 && first === null; turn += 1) {
      first = await limiter.take('other', 1, 60, 0).catch(() => null);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(first).toEqual({ ok: true, retryAfterMs: 0 });
  });

  it('opens without Redis, and rejects until it is there', async () => {
    await server.down();
    const limiter = await open();
    await expect(limiter.take('k', 1, 60, 0)).rejects.toMatchObject({ code: 'rate_limit.unavailable' });
  });
});
