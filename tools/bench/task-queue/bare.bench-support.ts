import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { PatternSecretScrubber } from '@wrongstack/adapters';
import { type BodyName, bodyOf } from './bodies.bench-support.js';
import { type BenchQueue, Moments } from './waiting.bench-support.js';

export interface BareOptions {
  readonly body: BodyName;
  /**
   * As many commands in as many round trips as ours, each the least that its record could be: the task itself beside `add`,
   * who runs it (waited for before it begins), how it ended beside the end of the job.
   */
  readonly sameTrips: boolean;
}

/** BullMQ as its own documentation shows it, with a payload of the size of ours. */
export async function openBare(url: string, { body: bodyName, sameTrips }: BareOptions): Promise<BenchQueue> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wrongstack-bench-bare-'));
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  const name = `bare-${bodyName}-${sameTrips ? 'same' : 'plain'}`;
  const queue = new Queue(name, { connection: redis });
  const begun = new Moments();
  const ended = new Moments();
  const body = bodyOf(bodyName, folder, new PatternSecretScrubber(), (key) => begun.come(key));
  const payload = { filler: 'x'.repeat(1_500) };
  const worker = new Worker(
    name,
    async (job) => {
      const id = job.id ?? '';
      if (sameTrips) await redis.set(`claim:${id}`, '1', 'EX', 600, 'NX');
      await body.run(body.input(id));
      if (sameTrips) void redis.hset(`task:${id}`, 'state', 'completed', 'result', 'ok');
    },
    {
      connection: redis,
      concurrency: 8,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    },
  );
  worker.on('completed', (job) => ended.come(job.id ?? ''));
  await worker.waitUntilReady();
  return {
    async run() {
      const jobId = `j${randomUUID()}`;
      const called = performance.now();
      const [start, end] = [begun.of(jobId), ended.of(jobId)];
      if (sameTrips) void redis.hset(`task:${jobId}`, 'state', 'queued', 'input', payload.filler);
      await queue.add('task', payload, { jobId, attempts: 1, priority: 101 });
      const at = await start;
      await end;
      return at - called;
    },
    async poll() {
      await redis.hgetall('status');
    },
    async close() {
      await worker.close();
      await queue.close();
      redis.disconnect();
      rmSync(folder, { recursive: true, force: true });
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
