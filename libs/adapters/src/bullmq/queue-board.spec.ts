import { silentLogger } from '@wrongstack/contracts';
import { Queue } from 'bullmq';
import { PatternSecretScrubber } from '../secrets/pattern-secret-scrubber.js';
import { RedisServer, redisMissing } from '../testing/redis-server.js';
import { QueueBoard } from './queue-board.js';
import { QUEUE, TAG } from './task-scripts.js';

jest.setTimeout(60_000);

const SECRET = `ghp_${'a1B2'.repeat(9)}`;
const missing = redisMissing(process.env);

(missing === null ? describe : describe.skip)('a board over the queues', () => {
  let redis: RedisServer;
  let queue: Queue;
  let board: QueueBoard;
  beforeAll(async () => {
    redis = await RedisServer.start();
    const { port } = redis;
    queue = new Queue(QUEUE, { connection: { host: '127.0.0.1', port }, prefix: TAG });
    board = await QueueBoard.open({
      url: redis.url,
      log: silentLogger,
      scrubber: new PatternSecretScrubber(),
      basePath: '/queues',
      answerMs: 2_000,
    });
  });
  afterAll(async () => {
    await board.close();
    await queue.close();
    await redis.remove();
  });

  const look = async (url: string) => {
    const { status, type, body } = await board.look(url);
    return { status, type, text: body.toString('utf8') };
  };

  it('shows the queues of tasks and runs, read-only', async () => {
    const { status, text } = await look('/queues/api/queues?activeQueue=tasks&status=latest&page=1');
    expect(status).toBe(200);
    const { queues } = JSON.parse(text) as { queues: { name: string; readOnlyMode: boolean }[] };
    expect(queues.map(({ name, readOnlyMode }) => [name, readOnlyMode])).toEqual([
      ['tasks', true],
      ['runs', true],
    ]);
  });

  it('shows which task a job is for, and nothing that somebody else put into one', async () => {
    const data = { id: 't-1', attempt: 1, input: { command: `curl -H ${SECRET}` }, note: 'private' };
    const job = await queue.add(QUEUE, data, { jobId: 't-1' });
    const { text } = await look('/queues/api/queues/tasks/t-1');
    expect(JSON.parse(text)).toMatchObject({ job: { id: 't-1', data: { id: 't-1', attempt: 1 } } });
    expect(text).not.toMatch(/private|ghp_/);
    await job.log(`failed with ${SECRET}`);
    expect((await look('/queues/api/queues/tasks/t-1/logs')).text).not.toContain('ghp_');
  });

  it('is a page of this origin alone', async () => {
    const { type, text } = await look('/queues/');
    expect(type).toContain('text/html');
    expect(text).toContain('<base href="/queues/"');
    expect(text).not.toMatch(/(?:href|src)="(?:https?:)?\/\//);
    for (const [, file] of text.matchAll(/(?:href|src)="(static\/[^"]+)"/g))
      expect([file, (await look(`/queues/${file}`)).status]).toEqual([file, 200]);
  });

  it.each([
    '/queues/nothing',
    '/queues/static/../../package.json',
    '/queues/static/%2e%2e/index.ejs',
    '/elsewhere',
  ])('has nothing at %s', async (url) => {
    expect((await look(url)).status).toBe(404);
  });

  it('does not wait for a Redis that is away', async () => {
    redis.signal('SIGSTOP');
    try {
      await expect(look('/queues/api/queues')).rejects.toMatchObject({ code: 'task.late' });
    } finally {
      redis.signal('SIGCONT');
    }
    expect((await look('/queues/api/queues')).status).toBe(200);
  });
});
