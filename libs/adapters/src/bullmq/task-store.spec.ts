import { Redis } from 'ioredis';
import { done, sampleTask } from '../testing/sample-task.js';
import { newRecord } from '../tasks/new-record.js';
import { redisMissing, RedisServer } from '../testing/redis-server.js';
import { TaskStore } from './task-store.js';

jest.setTimeout(60_000);

const AT = '2026-01-01T00:00:00.000Z';
const missing = redisMissing(process.env);
const withRedis = missing === null ? describe : describe.skip;
if (missing !== null) it.skip(missing, () => undefined);

// A connection that is cut leaves it open whether a command ran, and ioredis sends it again.
withRedis('what is sent to Redis twice, since its answer was lost,', () => {
  let server: RedisServer;
  let redis: Redis;
  let store: TaskStore;
  const task = sampleTask({ options: { key: 'k' } });
  const { id } = task.job;
  beforeAll(async () => {
    server = await RedisServer.start();
    redis = new Redis(server.url);
    store = new TaskStore(redis, {
      mostOfOwner: 1,
      mostOfTenant: 1,
      segmentBytes: 4,
      mostSegments: 8,
      keepMs: 60_000,
      patienceMs: 30_000,
      attempts: 1,
    });
  });
  afterAll(async () => {
    redis.disconnect();
    await server.remove();
  });

  it('is refused when it comes after its caller gave up', async () => {
    const late = sampleTask({ user: 'eve' });
    // Nothing is known of Redis's clock yet: no deadline can be met.
    expect(await store.add(late, newRecord(late, AT), 60_000)).toEqual({ kind: 'late' });
    await store.learnTime();
    expect(await store.add(late, newRecord(late, AT), -1)).toEqual({ kind: 'late' });
    expect(await store.get(late.job.id)).toBeNull();
  });

  async function twice<T>(send: () => Promise<T>): Promise<T> {
    const first = await send();
    expect(await send()).toEqual(first);
    return first;
  }
  const states = async () => (await store.get(id))?.transitions.map(({ state }) => state);

  it('adds one task', async () => {
    expect(await twice(() => store.add(task, newRecord(task, AT), 5_000))).toEqual({ kind: 'added' });
    expect(await states()).toEqual(['queued']);
  });

  it('gives the job to the delivery that has it already, and to no other', async () => {
    const claimed = await twice(() => store.claim(id, AT, 1, 'one'));
    expect(claimed).toEqual({ job: task.job, outputBytes: 0 });
    expect(await store.claim(id, AT, 1, 'two')).toBeNull();
    expect(await store.claim(id, AT, 2, 'one')).toBeNull();
    expect(await states()).toEqual(['queued', 'running']);
  });

  it('writes output once', async () => {
    await twice(() => store.write(id, { text: 'hällo\n', from: 0 }));
    await twice(() => store.write(id, { text: 'more\n', from: 7 }));
    expect(await store.read(id, 0, 100)).toMatchObject({ text: 'hällo\nmore\n', end: 12 });
  });

  it('ends it once, with its last words once', async () => {
    expect(await twice(() => store.finish(id, AT, done(), { text: 'bye\n', from: 12 }))).toBe('completed');
    expect(await states()).toEqual(['queued', 'running', 'completed']);
    expect(await store.read(id, 0, 100)).toMatchObject({ text: 'hällo\nmore\nbye\n', end: 16, done: true });
  });
});
