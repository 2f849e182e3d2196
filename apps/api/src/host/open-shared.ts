import path from 'node:path';
import { LocalRateLimiter, LocalRunQueue, LocalTaskQueue } from '@wrongstack/adapters';
import { type Logger, type RateLimiter, type TaskQueue, WrongStackError } from '@wrongstack/contracts';
import type { RunQueue } from '@wrongstack/contracts/control';
import { loadConfig } from '@wrongstack/kernel';
import type { Environment } from '../environment.js';

type Driver = 'local' | 'redis';

/**
 * `TASKS_DRIVER`, then `tasks.driver` of this account's own configuration, then redis where there is a `REDIS_URL`. The file of
 * the project that the tools work in has no say. Throws `config.invalid` for a file that cannot be understood.
 */
export async function chooseDriver({ agentHome, redisUrl, tasksDriver }: Environment): Promise<Driver> {
  const userFile = path.join(agentHome, 'config.json');
  const { config } = await loadConfig({ userFile, projectFile: null });
  const driver = tasksDriver ?? config.tasks?.driver ?? (redisUrl === null ? 'local' : 'redis');
  if (driver === 'local' || redisUrl !== null) return driver;
  const named = tasksDriver === null ? `tasks.driver in ${userFile}` : 'TASKS_DRIVER';
  throw new WrongStackError('api.no_redis', `${named} is redis: set REDIS_URL, or leave ${named} out`);
}

export async function openQueue(
  driver: Driver,
  { redisUrl, agentHome, tasksPatienceMs: patienceMs, tasksPerOwner, tasksPerTenant }: Environment,
  log: Logger,
): Promise<TaskQueue> {
  const most = {
    ...(tasksPerOwner !== null && { mostOfOwner: tasksPerOwner }),
    ...(tasksPerTenant !== null && { mostOfTenant: tasksPerTenant }),
  };
  if (driver === 'local' || redisUrl === null) {
    return new LocalTaskQueue({ folder: path.join(agentHome, 'tasks'), ...most });
  }
  const { BullTaskQueue } = await import('@wrongstack/adapters/bullmq');
  return BullTaskQueue.open({ url: redisUrl, log, limits: { patienceMs, ...most } });
}

/**
 * Runs are handed to workers where these can have the store as well; a SQLite file belongs to one process, which then executes them
 * itself.
 */
export async function openRunQueue(
  driver: Driver,
  { redisUrl, control, tasksPatienceMs: patienceMs }: Environment,
  log: Logger,
): Promise<RunQueue> {
  if (driver === 'local' || redisUrl === null || control.databaseUrl === null) return new LocalRunQueue();
  const { BullRunQueue } = await import('@wrongstack/adapters/bullmq');
  return BullRunQueue.open({ url: redisUrl, log, patienceMs });
}

/** Where there is a Redis, every replica and worker counts the same calls. */
export async function openRateLimiter(
  { redisUrl }: Environment,
  log: Logger,
): Promise<RateLimiter & { close?(): void }> {
  if (redisUrl === null) return new LocalRateLimiter();
  const { RedisRateLimiter } = await import('@wrongstack/adapters/bullmq');
  return RedisRateLimiter.open({ url: redisUrl, log });
}
