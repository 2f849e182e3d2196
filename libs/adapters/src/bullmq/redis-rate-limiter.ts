import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { type Logger, messageOf, RateLimiter, sha256, WrongStackError } from '@wrongstack/contracts';
import { checkLimit } from '../limits/check-limit.js';

export interface RedisRateLimiterOptions {
  readonly url: string;
  readonly log: Logger;
  /** How long one count may take; a Redis that is away counts nothing. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 1_000;

/**
 * A sliding window in one sorted set a key. Times are Redis's own, which all processes share; entries of a clock that was set
 * back are brought back to now, so that they block nobody until it has caught up.
 */
const TAKE = `
local key, max, window, member = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
redis.call('ZREMRANGEBYSCORE', key, '-inf', string.format('%d', now - window))
for _, early in ipairs(redis.call('ZRANGEBYSCORE', key, '(' .. string.format('%d', now), '+inf')) do
  redis.call('ZADD', key, now, early)
end
local taken = redis.call('ZCARD', key)
if taken < max then
  redis.call('ZADD', key, now, member)
  redis.call('PEXPIRE', key, window)
  return {1, 0}
end
local blocking = redis.call('ZRANGE', key, taken - math.floor(max), taken - math.floor(max), 'WITHSCORES')
if not blocking[2] then return {0, window} end
return {0, math.max(1, tonumber(blocking[2]) + window - now)}
`;

/** Counts in Redis, for all processes that use the same. What cannot be counted rejects, and so denies the call. */
export class RedisRateLimiter extends RateLimiter {
  private constructor(private readonly redis: Redis) {
    super();
    redis.defineCommand('wstTake', { numberOfKeys: 1, lua: TAKE });
  }

  /** Does not wait for Redis: until it is there, each count rejects. */
  static async open({
    url,
    log,
    timeoutMs = TIMEOUT_MS,
  }: RedisRateLimiterOptions): Promise<RedisRateLimiter> {
    const { Redis } = await import('ioredis');
    const redis = new Redis(url, {
      commandTimeout: timeoutMs,
      connectTimeout: timeoutMs,
      // A count that came late would be one for a call that was denied.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
    });
    redis.on('error', (error: unknown) => log.warn('redis of rate limits', { message: messageOf(error) }));
    const ready = new Promise<void>((resolve) => redis.once('ready', resolve));
    const late = new Promise<void>((resolve) => setTimeout(resolve, timeoutMs).unref());
    await Promise.race([ready, late]);
    return new RedisRateLimiter(redis);
  }

  override async take(
    key: string,
    max: number,
    perSeconds: number,
    now: number,
  ): Promise<{ readonly ok: boolean; readonly retryAfterMs: number }> {
    checkLimit(max, perSeconds, now);
    const windowMs = Math.ceil(perSeconds * 1000);
    // Names of people and rules may hold anything; keys hold digests.
    const name = `wst:rate:${sha256(key)}`;
    try {
      const answer = await this.#take(name, max, windowMs, randomUUID());
      const [ok, retryAfterMs] = answer;
      return { ok: ok === 1, retryAfterMs };
    } catch (error) {
      throw new WrongStackError('rate_limit.unavailable', `Redis did not count: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }

  close(): void {
    this.redis.disconnect();
  }

  #take(...args: readonly (string | number)[]): Promise<[number, number]> {
    // A method that defineCommand adds is not in the class's type; its answer is the script's above.
    const take = Reflect.get(this.redis, 'wstTake') as (
      ...args: readonly (string | number)[]
    ) => Promise<[number, number]>;
    return take.apply(this.redis, [...args]);
  }
}
