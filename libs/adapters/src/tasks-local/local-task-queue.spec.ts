import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildChildProgram, startChild, untilPrinted } from '../files/child-program.spec-support.js';
import { taskQueueCases, untilEnded } from '../testing/task-queue.conformance.js';
import { done, sampleTask } from '../testing/sample-task.js';
import { LocalTaskQueue, type LocalTaskQueueOptions } from './local-task-queue.js';

describe('LocalTaskQueue', () => {
  let folder: string;
  let opened: LocalTaskQueue[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tasks-'));
    opened = [];
  });
  afterEach(async () => {
    await Promise.all(opened.map((queue) => queue.close()));
    rmSync(folder, { recursive: true, force: true });
  });

  const open = (part: Partial<LocalTaskQueueOptions> = {}): LocalTaskQueue => {
    const queue = new LocalTaskQueue({ folder: join(folder, 'tasks'), ...part });
    opened.push(queue);
    return queue;
  };

  describe('as every queue', () => {
    it.each(taskQueueCases.map((one) => [one.name, one] as const))('%s', async (name, one) => {
      const concurrency = name.includes('priority') ? 1 : 8;
      await one.run({ queue: open({ mostOfOwner: 4, mostOfTenant: 6, concurrency }), again: () => open() });
      expect(opened.length).toBeGreaterThan(0);
    });
  });

  it('makes nothing before the first task, then only private files', async () => {
    const queue = open();
    expect(await queue.list({})).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
    queue.start(async (_job, sink) => {
      sink.write('x');
      return done();
    });
    const { id } = await queue.add(sampleTask({ options: { key: 'k' } }));
    await untilEnded(queue, id);
    const modes = (path: string): void => {
      const entry = statSync(path);
      expect([path, entry.mode & 0o077]).toEqual([path, 0]);
      if (entry.isDirectory()) for (const name of readdirSync(path)) modes(join(path, name));
    };
    modes(join(folder, 'tasks'));
  });

  it('keeps the end of an endless output and says how much of its beginning is gone', async () => {
    const queue = open({ segmentBytes: 1_000, mostOutputBytes: 3_000 });
    queue.start(async (_job, sink) => {
      for (let index = 0; index < 1_000; index += 1) sink.write(`line ${String(index).padStart(4, '0')}\n`);
      return done();
    });
    const { id } = await queue.add(sampleTask());
    const { outputBytes } = await untilEnded(queue, id);
    expect(outputBytes).toBe(10_000);
    const output = await queue.read(id, 0, 100_000);
    expect(output).toMatchObject({ from: 7_000, lost: 7_000, next: 10_000, end: 10_000, done: true });
    expect(output?.text.endsWith('line 0999\n')).toBe(true);
    expect((await queue.read(id, 9_990, 100))?.text).toBe('line 0999\n');
  });

  it('loses output where the disk refuses it, and says so, but not the task', async () => {
    const queue = open();
    queue.start(async (job, sink) => {
      mkdirSync(join(folder, 'tasks', job.id, 'output.000000')); // in the way of the first segment
      sink.write('x'.repeat(100_000));
      return done();
    });
    const { id } = await queue.add(sampleTask());
    expect((await untilEnded(queue, id)).exit?.reason).toMatch(/output is missing: .*EEXIST/);
  });

  it('forgets old tasks, and the output of older ones before the tasks themselves', async () => {
    const first = open();
    first.start(async (_job, sink) => {
      sink.write('y'.repeat(1_000));
      return done();
    });
    const old = await first.add(sampleTask());
    await untilEnded(first, old.id);
    await first.close();

    const second = open({ retention: { mostBytes: 500 } });
    second.start(async () => done());
    await untilEnded(second, (await second.add(sampleTask())).id);
    expect(await second.read(old.id, 0, 10)).toMatchObject({ text: '', lost: 1_000, done: true });
    await second.close();

    const third = open({ retention: { keepMs: 0 }, clock: { now: () => Date.now() + 10_000 } });
    third.start(async () => done());
    await untilEnded(third, (await third.add(sampleTask())).id);
    expect(await third.get(old.id)).toBeNull();
  });

  it('shows the tasks of a process that was killed as lost, once, with their output so far, and does not run them again', async () => {
    const program = buildChildProgram(
      `import { LocalTaskQueue } from './tasks-local/local-task-queue.js';
import { sampleTask } from './testing/sample-task.js';
       const queue = new LocalTaskQueue({ folder: process.argv[2] ?? '', concurrency: 1 });
       queue.start(async (_job, sink) => { sink.write('half\\n'); await new Promise((r) => setTimeout(r, 200)); console.log('RUNS'); await new Promise((r) => setTimeout(r, 60_000)); throw new Error(); });
       await queue.add(sampleTask()); await queue.add(sampleTask());`,
      folder,
      'owner',
    );
    const { child, end } = startChild([process.execPath, program, join(folder, 'tasks')]);
    await untilPrinted(child, 'RUNS');
    const watcher = open();
    const runs: string[] = [];
    watcher.start(async (job) => (runs.push(job.id), done()));
    expect((await watcher.list({})).map(({ state }) => state).sort()).toEqual(['queued', 'running']);
    child.kill('SIGKILL');
    await end;

    const [one, two] = await Promise.all([watcher.list({}), open().list({})]);
    expect(one.map(({ state }) => state)).toEqual(['lost', 'lost']);
    expect(two.map(({ state }) => state)).toEqual(['lost', 'lost']);
    const ran = one.find(({ startedAt }) => startedAt !== null);
    expect(ran?.transitions.map(({ state }) => state)).toEqual(['queued', 'running', 'lost']);
    expect(await watcher.read(ran!.id, 0, 100)).toMatchObject({ text: 'half\n', done: true });
    expect(await open().list({})).toEqual(one);
    expect(runs).toEqual([]);
  });
});
