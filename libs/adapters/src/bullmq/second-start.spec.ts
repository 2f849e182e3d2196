import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { silentLogger, type TaskId } from '@wrongstack/contracts';
import { redisMissing, RedisServer } from '../testing/redis-server.js';
import { done, sampleTask } from '../testing/sample-task.js';
import { untilEnded } from '../testing/task-queue.conformance.js';
import { BullTaskQueue, type BullTaskQueueOptions } from './bull-task-queue.js';

jest.setTimeout(60_000);

const missing = redisMissing(process.env);
const withRedis = missing === null ? describe : describe.skip;
if (missing !== null) it.skip(missing, () => undefined);

withRedis('a task that has begun, or must not begin', () => {
  let server: RedisServer;
  let opened: BullTaskQueue[];
  let runs: TaskId[];
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server.remove());
  beforeEach(() => {
    opened = [];
    runs = [];
  });
  afterEach(async () => {
    await Promise.all(opened.map((queue) => queue.close()));
  });

  const open = async (part: Partial<BullTaskQueueOptions> = {}): Promise<BullTaskQueue> => {
    const queue = await BullTaskQueue.open({ url: server.url, log: silentLogger, beatMs: 200, ...part });
    opened.push(queue);
    return queue;
  };
  const untilAborted = (queue: BullTaskQueue): void =>
    queue.start(async ({ id }, _sink, signal) => {
      runs.push(id);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return done({ state: 'killed', exitCode: null, reason: 'stopped' });
    });
  /** What BullMQ does when it takes a worker for gone, or a producer sends twice. */
  const deliverAgain = async (id: TaskId, attempt = 1): Promise<void> => {
    const connection = { host: '127.0.0.1', port: Number(new URL(server.url).port) };
    const bull = new Queue('tasks', { connection, prefix: '{wst3}' });
    await bull.add('tasks', { id, attempt }, { jobId: `again-${id}`, attempts: 3 });
    await bull.close();
  };

  it('is not started again when it was killed, though its tool may be', async () => {
    const queue = await open({ limits: { patienceMs: 900, attempts: 3 } });
    untilAborted(queue);
    const { id } = await queue.add(sampleTask({ idempotent: true }));
    await sleep(300);
    await queue.kill(id, 'enough');
    expect((await untilEnded(queue, id)).state).toBe('killed');
    await sleep(2_500);
    expect(runs).toEqual([id]);
  });

  it('is not started again when it was killed and its worker never answered', async () => {
    const limits = { patienceMs: 1_200, attempts: 3 };
    const silent = await open({ limits, beatMs: 600_000 });
    const other = await open({ limits });
    silent.start(async ({ id }) => {
      runs.push(id);
      await sleep(6_000);
      return done();
    });
    const { id } = await silent.add(sampleTask({ idempotent: true }));
    await sleep(300);
    other.start(async (job) => (runs.push(job.id), done()));
    await other.kill(id, 'enough');
    expect((await untilEnded(other, id)).state).toBe('lost');
    await sleep(2_000);
    expect(runs).toEqual([id]);
  });

  it('does not begin when it was killed before its time', async () => {
    const queue = await open();
    untilAborted(queue);
    const { id } = await queue.add(sampleTask({ idempotent: true, options: { delayMs: 600 } }));
    await queue.kill(id, 'enough');
    await sleep(1_500);
    expect([(await queue.get(id))?.state, runs]).toEqual(['killed', []]);
  });

  it.each(['while it runs', 'when it has ended', 'when it was killed'] as const)(
    'is not started again by a second delivery %s',
    async (when) => {
      const [queue, other] = [await open(), await open()];
      if (when === 'when it has ended') queue.start(async ({ id }) => (runs.push(id), done()));
      else untilAborted(queue);
      const { id } = await queue.add(sampleTask());
      await sleep(300);
      other.start(async (job) => (runs.push(job.id), done()));
      if (when === 'when it was killed') await queue.kill(id, 'enough');
      if (when !== 'while it runs') await untilEnded(queue, id);
      await deliverAgain(id);
      if (when === 'when it has ended') await deliverAgain(id, 2);
      await sleep(800);
      expect(runs).toEqual([id]);
      expect((await queue.get(id))?.transitions.filter(({ state }) => state === 'running')).toHaveLength(1);
    },
  );
});
