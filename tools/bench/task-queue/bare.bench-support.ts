import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { PatternSecretScrubber } from '@wrongstack/adapters';
import { type BodyName, bodyOf } from './bodies.bench-support.js';
import { say, startApart, untilAlone } from './apart.bench-support.js';
import { type BenchQueue, Moments, now } from './waiting.bench-support.js';

export interface BareOptions {
  readonly body: BodyName;
  /**
   * As many commands in as many round trips as ours, each the least that its record could be: the task itself beside `add`,
   * who runs it (waited for before it begins), how it ended beside the end of the job.
   */
  readonly sameTrips: boolean;
}

/** BullMQ as its own documentation shows it, with a payload of the size of ours. */
export async function openBare(
  url: string,
  options: BareOptions & { readonly apart?: boolean },
): Promise<BenchQueue> {
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  const queue = new Queue(nameOf(options), { connection: redis });
  const begun = new Moments();
  const ended = new Moments();
  const stop = options.apart
    ? (await startApart('serveBare', [url, JSON.stringify(options)], { begun, ended })).stop
    : await work(
        redis,
        options,
        (id, at) => begun.come(id, at),
        (id) => ended.come(id),
      );
  const payload = { filler: 'x'.repeat(1_500) };
  return {
    async run() {
      const jobId = `j${randomUUID()}`;
      const called = now();
      const [start, end] = [begun.of(jobId), ended.of(jobId)];
      if (options.sameTrips) void redis.hset(`task:${jobId}`, 'state', 'queued', 'input', payload.filler);
      await queue.add('task', payload, { jobId, attempts: 1, priority: 101 });
      const at = await start;
      await end;
      return at - called;
    },
    async poll() {
      await redis.hgetall('status');
    },
    async close() {
      await stop();
      await queue.close();
      redis.disconnect();
    },
  };
}

/** For a process of its own. */
export async function serveBare(url: string, options: string): Promise<void> {
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  // Written by openBare.
  const stop = await work(
    redis,
    JSON.parse(options) as BareOptions,
    (id, at) => say('began', id, at),
    (id) => say('ended', id),
  );
  say('ready');
  await untilAlone();
  await stop();
  redis.disconnect();
}

function nameOf({ body, sameTrips }: BareOptions): string {
  return `bare-${body}-${sameTrips ? 'same' : 'plain'}`;
}

async function work(
  redis: Redis,
  options: BareOptions,
  began: (id: string, at: number) => void,
  ended: (id: string) => void,
): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wrongstack-bench-bare-'));
  const body = bodyOf(options.body, folder, new PatternSecretScrubber(), (key) => began(key, now()));
  const worker = new Worker(
    nameOf(options),
    async (job) => {
      const id = job.id ?? '';
      if (options.sameTrips) await redis.set(`claim:${id}`, '1', 'EX', 600, 'NX');
      await body.run(body.input(id));
      if (options.sameTrips) void redis.hset(`task:${id}`, 'state', 'completed', 'result', 'ok');
    },
    {
      connection: redis,
      concurrency: 8,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    },
  );
  worker.on('completed', (job) => ended(job.id ?? ''));
  await worker.waitUntilReady();
  return async () => {
    await worker.close();
    rmSync(folder, { recursive: true, force: true });
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
