import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { newId, silentLogger } from '@wrongstack/contracts';
import { redisMissing, RedisServer } from '../testing/redis-server.js';
import { runQueueCases } from '../testing/run-queue.conformance.js';
import { BullRunQueue } from './bull-run-queue.js';

jest.setTimeout(60_000);

const missing = redisMissing(process.env);
const withRedis = missing === null ? describe : describe.skip;
if (missing !== null) it.skip(missing, () => undefined);

withRedis('BullRunQueue', () => {
  let server: RedisServer;
  const queues: BullRunQueue[] = [];
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  beforeEach(async () => {
    const redis = new Redis(server.url);
    await redis.flushall();
    redis.disconnect();
  });
  afterEach(async () => {
    for (const queue of queues.splice(0)) await queue.close();
  });
  afterAll(() => server.remove());

  const open = async (offerMs = 5_000): Promise<BullRunQueue> => {
    const queue = await BullRunQueue.open({
      url: server.url,
      log: silentLogger,
      offerMs,
      patienceMs: 3_000,
    });
    queues.push(queue);
    return queue;
  };

  it.each(runQueueCases.map((one) => [one.name, one] as const))(
    'as every queue of runs: %s',
    async (_name, one) => {
      const queue = await open();
      await one.run({ queue });
      expect(queue.driver).toBe('redis');
    },
  );

  it('hands each offer to one of several workers, and what waits outlives the process that offered it', async () => {
    const offered = await open();
    const runs = Array.from({ length: 20 }, () => newId('RunId'));
    for (const run of runs) await offered.offer({ run, attempt: 1 });
    await offered.close();
    const begun: string[] = [];
    for (const worker of [await open(), await open()]) {
      worker.take(async ({ run }) => {
        begun.push(run);
        await sleep(20);
      }, 3);
    }
    for (let turn = 0; turn < 1_000 && begun.length < 20; turn += 1) await sleep(10);
    expect([...begun].sort()).toEqual([...runs].sort());
  });

  it('says that Redis takes nothing while it is away, and goes on when it is back', async () => {
    const queue = await open(300);
    const begun: string[] = [];
    queue.take(async ({ run }) => void begun.push(run), 2);
    await server.down();
    await expect(queue.offer({ run: newId('RunId'), attempt: 1 })).rejects.toMatchObject({
      code: 'run.queue_unavailable',
    });
    await server.up();
    const run = newId('RunId');
    for (let turn = 0; turn < 1_000 && !begun.includes(run); turn += 1) {
      await queue.offer({ run, attempt: 1 }).catch(() => undefined);
      await sleep(20);
    }
    expect(begun).toContain(run);
  });
});
