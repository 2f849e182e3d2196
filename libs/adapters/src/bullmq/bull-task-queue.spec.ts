import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { silentLogger } from '@wrongstack/contracts';
import { done, sampleTask } from '../testing/sample-task.js';
import { taskQueueCases, untilEnded } from '../testing/task-queue.conformance.js';
import { BullTaskQueue, type BullTaskQueueOptions } from './bull-task-queue.js';
import { redisMissing, RedisServer } from '../testing/redis-server.js';

jest.setTimeout(60_000);

const missing = redisMissing(process.env);
const withRedis = missing === null ? describe : describe.skip;
if (missing !== null) it.skip(missing, () => undefined);

withRedis('BullTaskQueue', () => {
  let server: RedisServer;
  let opened: BullTaskQueue[];
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server.remove());
  beforeEach(async () => {
    opened = [];
    const redis = new Redis(server.url);
    await redis.flushall();
    redis.disconnect();
  });
  afterEach(async () => {
    await Promise.all(opened.map((queue) => queue.close()));
  });

  const open = async (part: Partial<BullTaskQueueOptions> = {}): Promise<BullTaskQueue> => {
    const queue = await BullTaskQueue.open({ url: server.url, log: silentLogger, beatMs: 200, ...part });
    opened.push(queue);
    return queue;
  };

  describe('as every queue', () => {
    it.each(taskQueueCases.map((one) => [one.name, one] as const))('%s', async (name, one) => {
      const concurrency = name.includes('priority') ? 1 : 8;
      const queue = await open({ concurrency, limits: { mostOfOwner: 4, mostOfTenant: 6 } });
      const other = await open();
      await one.run({ queue, again: () => other });
      expect(opened).toHaveLength(2);
    });
  });

  it('runs each of many tasks once, among several workers', async () => {
    const runs: string[] = [];
    const queues = await Promise.all([open(), open(), open()]);
    for (const queue of queues) queue.start(async ({ id }) => (runs.push(id), done()));
    const added = await Promise.all(Array.from({ length: 60 }, () => queues[0].add(sampleTask())));
    for (const { id } of added) await untilEnded(queues[1], id);
    expect(new Set(runs).size).toBe(60);
    expect(runs).toHaveLength(60);
  });

  it('gives up a task whose worker is silent, does not run it again, and stops it when the worker comes back', async () => {
    const limits = { patienceMs: 1_500 };
    // A worker that is blocked sends no signs of life: here it sends none at all.
    const silent = await open({ limits, beatMs: 600_000 });
    const other = await open({ limits });
    let stopped = false;
    const runs: string[] = [];
    silent.start(async ({ id }, sink, signal) => {
      runs.push(id);
      sink.write('half\n');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      stopped = true;
      return done({ state: 'killed', exitCode: null, reason: 'stopped' });
    });
    const { id } = await silent.add(sampleTask());
    await sleep(300);
    other.start(async (job) => (runs.push(job.id), done()));
    const record = await untilEnded(other, id);
    expect(record.transitions.map(({ state }) => state)).toEqual(['queued', 'running', 'lost']);
    expect(await other.read(id, 0, 100)).toMatchObject({ text: 'half\n', done: true });
    await silent.close();
    expect(stopped).toBe(true);
    expect((await other.get(id))?.state).toBe('lost');
    expect(runs).toEqual([id]);
  });

  it('runs a lost task again where the tool says that it may, and no more often than it may', async () => {
    const limits = { patienceMs: 1_200, attempts: 2 };
    const silent = await open({ limits, beatMs: 600_000, concurrency: 1 });
    const other = await open({ limits });
    silent.start(async (_job, _sink, signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return done({ state: 'killed', exitCode: null });
    });
    const { id } = await silent.add(sampleTask({ idempotent: true }));
    await sleep(300);
    other.start(async () => done());
    const record = await untilEnded(other, id);
    expect(record.transitions.map(({ state }) => state)).toEqual([
      'queued',
      'running',
      'queued',
      'running',
      'completed',
    ]);
  });

  it('brings a task back that waits while the job that would have started it is gone', async () => {
    const limits = { patienceMs: 900 };
    const queue = await open({ limits });
    const { id } = await queue.add(sampleTask());
    const later = await queue.add(sampleTask({ options: { delayMs: 2_500 } }));
    // What a process leaves that ended between the two, or took the job and ended before it claimed the task.
    const redis = new Redis(server.url);
    const keys = (await redis.keys('{wst3}:tasks:*')).filter((key) => !key.endsWith(later.id));
    await redis.del(...keys.filter((key) => !key.endsWith(':delayed')));
    redis.disconnect();
    const runs: string[] = [];
    queue.start(async (job) => (runs.push(job.id), done()));
    const record = await untilEnded(queue, id);
    expect(record.transitions.map(({ state }) => state)).toEqual(['queued', 'running', 'completed']);
    await untilEnded(queue, later.id);
    expect(runs).toEqual([id, later.id]);
  });

  it('says within its deadline when Redis is away, and what came too late does not run', async () => {
    const own = await RedisServer.start();
    const queue = await open({ url: own.url, addMs: 300 });
    const runs: string[] = [];
    own.signal('SIGSTOP');
    await expect(queue.add(sampleTask())).rejects.toMatchObject({ code: 'task.queue_unavailable' });
    own.signal('SIGCONT');
    await sleep(300);
    queue.start(async ({ id }) => (runs.push(id), done()));
    const { id } = await queue.add(sampleTask());
    await untilEnded(queue, id);
    expect(runs).toEqual([id]);
    await queue.close();
    await own.remove();
  });

  it('finishes its tasks when Redis was restarted meanwhile', async () => {
    const own = await RedisServer.start();
    const queue = await open({ url: own.url });
    let finish = (): void => undefined;
    queue.start(async (_job, sink) => {
      sink.write('before\n');
      await new Promise<void>((resolve) => (finish = resolve));
      sink.write('after\n');
      return done();
    });
    const { id } = await queue.add(sampleTask());
    await queue.wait(id, 0, 5_000, new AbortController().signal);
    await own.down();
    finish();
    await sleep(200);
    await own.up();
    const record = await untilEnded(queue, id);
    expect(record.state).toBe('completed');
    expect((await queue.read(id, 0, 100))?.text).toBe('before\nafter\n');
    await queue.close();
    await own.remove();
  });

  it('refuses a Redis that may drop tasks, and one that is not there', async () => {
    const own = await RedisServer.start('--maxmemory-policy', 'allkeys-lru');
    await expect(open({ url: own.url })).rejects.toMatchObject({ code: 'task.redis_eviction' });
    await own.remove();
    await expect(open({ url: own.url, addMs: 500 })).rejects.toMatchObject({
      code: 'task.queue_unavailable',
    });
  });
});
