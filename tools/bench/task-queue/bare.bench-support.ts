import { randomUUID } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { BenchQueue } from './governed.bench-support.js';

/**
 * BullMQ as its own documentation shows it, with a payload of the size of ours. `extraTrips`: further round trips that each
 * job makes, the least that a record of who runs it and of how it ended could cost.
 */
export async function openBare(url: string, extraTrips: 0 | 2): Promise<BenchQueue> {
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  const name = `bare-${extraTrips}`;
  const queue = new Queue(name, { connection: redis });
  const begun = new Map<string, (at: number) => void>();
  const ended = new Map<string, () => void>();
  const payload = { filler: 'x'.repeat(1_500) };
  const worker = new Worker(
    name,
    async (job) => {
      const id = job.id ?? '';
      if (extraTrips > 0) await redis.set(`claim:${id}`, '1', 'EX', 600, 'NX');
      begun.get(id)?.(performance.now());
      if (extraTrips > 0) await redis.hset(`end:${id}`, 'state', 'completed', 'result', 'ok');
    },
    {
      connection: redis,
      concurrency: 8,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    },
  );
  worker.on('completed', (job) => ended.get(job.id ?? '')?.());
  await worker.waitUntilReady();
  return {
    async run() {
      const jobId = `j${randomUUID()}`;
      const called = performance.now();
      const started = new Promise<number>((resolve) => begun.set(jobId, (at) => resolve(at - called)));
      const end = new Promise<void>((resolve) => ended.set(jobId, resolve));
      await queue.add('noop', payload, { jobId, attempts: 1, priority: 101 });
      const latency = await started;
      begun.delete(jobId);
      await end;
      ended.delete(jobId);
      return latency;
    },
    async poll() {
      await redis.hgetall('status');
    },
    async close() {
      await worker.close();
      await queue.close();
      redis.disconnect();
    },
  };
}

/** A hash with what a task's status holds. */
export async function putStatus(url: string): Promise<void> {
  const redis = new Redis(url);
  const record = JSON.stringify({ id: 't-1', owner: {}, filler: 'x'.repeat(300) });
  const steps = JSON.stringify([{ state: 'queued' }, { state: 'running' }, { state: 'completed' }]);
  const exit = JSON.stringify({
    state: 'completed',
    exitCode: 0,
    reason: null,
    result: 'ok',
    truncated: false,
  });
  await redis.hset('status', {
    record,
    state: 'completed',
    exit,
    bytes: '0',
    attempt: '1',
    steps,
    owner: 'x'.repeat(32),
  });
  redis.disconnect();
}

/** Scripts and blocking reads that were sent so far; what scripts call themselves is not in it. */
export async function sentCommands(url: string): Promise<number> {
  const redis = new Redis(url);
  const stats = await redis.info('commandstats');
  redis.disconnect();
  return ['eval', 'evalsha', 'bzpopmin'].reduce(
    (sum, name) => sum + Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(stats)?.[1] ?? 0),
    0,
  );
}
