import type { Redis } from 'ioredis';
import { type Logger, messageOf, WrongStackError } from '@wrongstack/contracts';
import { joinWrites } from './join-writes.js';
import { within } from './within.js';

/** Connects. Throws `task.queue_unavailable` when Redis cannot be reached, `task.redis_eviction` when it may drop tasks. */
export async function connectRedis(url: string, mostMs: number, log: Logger): Promise<Redis> {
  // Heavy, and needed only here.
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: null });
  joinWrites(redis);
  redis.on('error', (error: unknown) => log.warn('redis', { message: messageOf(error) }));
  try {
    await within(redis.connect(), mostMs);
    await requireNoEviction(redis);
    return redis;
  } catch (error) {
    redis.disconnect();
    throw error instanceof WrongStackError && error.code !== 'task.late'
      ? error
      : unavailable(url, messageOf(error), error);
  }
}

async function requireNoEviction(redis: Redis): Promise<void> {
  const answer = (await redis.config('GET', 'maxmemory-policy')) as unknown as readonly string[];
  const policy = answer[1] ?? 'unknown';
  if (policy === 'noeviction') return;
  throw new WrongStackError(
    'task.redis_eviction',
    `Redis may drop tasks when its memory is full (maxmemory-policy is ${policy}); set it to noeviction`,
  );
}

export function unavailable(url: string, why: string, cause?: unknown): WrongStackError {
  const { host } = new URL(url);
  return new WrongStackError('task.queue_unavailable', `Redis at ${host} takes no tasks: ${why}`, { cause });
}
