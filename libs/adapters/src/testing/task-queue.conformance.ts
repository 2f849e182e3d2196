import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { isFinalState, newTaskId } from '@wrongstack/contracts';
import type { SessionId, TaskId, TaskQueue, TaskRecord, TaskState, TaskWork } from '@wrongstack/contracts';
import { type ConformanceCase, rejectsWithCode } from './conformance-case.js';
import { done, sampleTask } from './sample-task.js';

export interface TaskQueueHarness {
  /** Takes tasks once it is started. */
  readonly queue: TaskQueue;
  /** The same tasks seen from another process, which runs none. */
  readonly again: () => TaskQueue;
}

/** Work that goes on until it is told how to end, or is killed. */
class HeldWork {
  readonly started: string[] = [];
  readonly #ends = new Map<string, () => void>();

  readonly work: TaskWork = async (job, sink, signal) => {
    this.started.push(job.id);
    sink.write('begun\n');
    await new Promise<void>((resolve) => {
      this.#ends.set(job.id, resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
      if (signal.aborted) resolve();
    });
    return signal.aborted ? done({ state: 'killed', exitCode: null, reason: 'stopped', result: '' }) : done();
  };

  async end(id: TaskId): Promise<void> {
    await until(() => this.#ends.has(id));
    this.#ends.get(id)?.();
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 2_000; turn += 1) {
    if (await condition()) return;
    await sleep(10);
  }
  throw new assert.AssertionError({ message: 'it did not come about' });
}

export async function untilEnded(queue: TaskQueue, id: TaskId): Promise<TaskRecord> {
  for (let turn = 0; turn < 2_000; turn += 1) {
    const record = await queue.get(id);
    if (record !== null && isFinalState(record.state)) return record;
    await sleep(10);
  }
  throw new assert.AssertionError({ message: `task ${id} did not end` });
}

async function wholeOutput(queue: TaskQueue, id: TaskId, step: number): Promise<string> {
  let text = '';
  for (let cursor = 0; ;) {
    const output = await queue.read(id, cursor, step);
    assert(output !== null);
    assert.equal(output.lost, 0);
    assert.equal(output.from, cursor);
    text += output.text;
    cursor = output.next;
    if (output.done) return text;
    if (output.text === '') await queue.wait(id, cursor, 2_000, new AbortController().signal);
  }
}

const statesOf = ({ transitions }: TaskRecord): readonly TaskState[] => transitions.map(({ state }) => state);

export const taskQueueCases: readonly ConformanceCase<TaskQueueHarness>[] = [
  {
    name: 'a task is queued, runs and completes, each transition once',
    run: async ({ queue, again }) => {
      const seen: TaskState[] = [];
      queue.onChange(({ state }) => seen.push(state));
      queue.start(async (_job, sink) => {
        sink.write('hello\n');
        return done({ result: 'all well' });
      });
      const { id, state } = await queue.add(sampleTask());
      assert.equal(state, 'queued');
      const record = await untilEnded(again(), id);
      assert.deepEqual(statesOf(record), ['queued', 'running', 'completed']);
      assert.equal(record.exit?.result, 'all well');
      assert.equal(record.outputBytes, 6);
      assert(record.startedAt !== null && record.endedAt !== null);
      await until(() => seen.includes('completed'));
      assert.deepEqual(seen, ['queued', 'running', 'completed']);
    },
  },
  {
    name: 'what is unknown is null, whatever is asked of it',
    run: async ({ queue }) => {
      const id = newTaskId();
      assert.equal(await queue.get(id), null);
      assert.equal(await queue.read(id, 0, 10), null);
      assert.equal(await queue.kill(id, 'x'), null);
      assert.deepEqual(await queue.list({}), []);
      await queue.wait(id, 0, 10, new AbortController().signal);
    },
  },
  {
    name: 'work that throws, or returns a failure, fails the task',
    run: async ({ queue }) => {
      queue.start(async (job) => {
        if (job.tool === 'throws') throw new Error('broken\npipe');
        return done({ state: 'failed', exitCode: 3, reason: 'exit 3' });
      });
      const thrown = await queue.add(sampleTask({ tool: 'throws' }));
      const failed = await queue.add(sampleTask());
      assert.equal((await untilEnded(queue, thrown.id)).exit?.reason, 'broken pipe');
      assert.equal((await untilEnded(queue, failed.id)).exit?.exitCode, 3);
    },
  },
  {
    name: 'output is read in steps from another process while it is written, whole and never inside a character',
    run: async ({ queue, again }) => {
      const text = Array.from({ length: 3_000 }, (_, index) => `${index} ü€👩‍💻\n`).join('');
      queue.start(async (_job, sink) => {
        for (let at = 0; at < text.length; at += 1_711) {
          const end = safeEnd(text, Math.min(text.length, at + 1_711));
          sink.write(text.slice(safeEnd(text, at), end));
          await sleep(1);
        }
        return done();
      });
      const { id } = await queue.add(sampleTask());
      assert.equal(await wholeOutput(again(), id, 777), text);
      assert.equal(await wholeOutput(queue, id, 65_536), text);
    },
  },
  {
    name: 'a cursor beyond the end is refused, at the end it waits',
    run: async ({ queue }) => {
      const held = new HeldWork();
      queue.start(held.work);
      const { id } = await queue.add(sampleTask());
      await until(() => held.started.length === 1);
      await queue.wait(id, 0, 5_000, new AbortController().signal);
      const output = await queue.read(id, 6, 100);
      assert.deepEqual(output, { text: '', from: 6, next: 6, lost: 0, end: 6, done: false });
      await rejectsWithCode(queue.read(id, 7, 100), 'task.cursor');
      const waited = queue.wait(id, 6, 10_000, new AbortController().signal);
      await held.end(id);
      await waited;
      assert.equal((await queue.read(id, 6, 100))?.done, true);
    },
  },
  {
    name: 'a running task is killed from another process, and killing what has ended changes nothing',
    run: async ({ queue, again }) => {
      const held = new HeldWork();
      queue.start(held.work);
      const { id } = await queue.add(sampleTask());
      await until(() => held.started.length === 1);
      const other = again();
      await other.kill(id, 'killed by ada');
      const record = await untilEnded(other, id);
      assert.deepEqual(statesOf(record), ['queued', 'running', 'stopping', 'killed']);
      assert.equal(record.transitions[2]?.reason, 'killed by ada');
      assert.deepEqual(await other.kill(id, 'again'), record);
      assert.deepEqual(await queue.kill(id, 'again'), record);
    },
  },
  {
    name: 'a task that waits is killed without having run',
    run: async ({ queue }) => {
      const held = new HeldWork();
      const { id } = await queue.add(sampleTask({ options: { delayMs: 60_000 } }));
      queue.start(held.work);
      await queue.kill(id, 'not any more');
      const record = await untilEnded(queue, id);
      assert.deepEqual(statesOf(record), ['queued', 'killed']);
      assert.deepEqual(held.started, []);
    },
  },
  {
    name: 'a delayed task begins later, and one that came after it does not wait for it',
    run: async ({ queue }) => {
      const order: string[] = [];
      queue.start(async (job) => {
        order.push(job.tool);
        return done();
      });
      const late = await queue.add(sampleTask({ tool: 'late', options: { delayMs: 300 } }));
      const soon = await queue.add(sampleTask({ tool: 'soon' }));
      await untilEnded(queue, soon.id);
      assert.deepEqual(order, ['soon']);
      await untilEnded(queue, late.id);
      assert.deepEqual(order, ['soon', 'late']);
    },
  },
  {
    name: 'higher priority goes first, equal ones in their order',
    run: async ({ queue }) => {
      const order: string[] = [];
      const named = (tool: string, priority: number) => sampleTask({ tool, options: { priority } });
      const added: TaskRecord[] = [];
      for (const task of [named('a', 0), named('b', 0), named('c', 90), named('d', 10)]) {
        added.push(await queue.add(task));
      }
      queue.start(async (job) => {
        order.push(job.tool);
        return done();
      });
      for (const { id } of added) await untilEnded(queue, id);
      assert.deepEqual(order, ['c', 'd', 'a', 'b']);
    },
  },
  {
    name: 'the same key and input is the same task, running or done; another input is refused; other owners have keys of their own',
    run: async ({ queue, again }) => {
      let runs = 0;
      queue.start(async () => {
        runs += 1;
        return done();
      });
      const options = { key: 'k-1' };
      const first = await queue.add(sampleTask({ options }));
      assert.equal((await queue.add(sampleTask({ options }))).id, first.id);
      await untilEnded(queue, first.id);
      const known = await queue.add(sampleTask({ options }));
      assert.equal(known.id, first.id);
      assert.equal(known.state, 'completed');
      await rejectsWithCode(
        again().add(sampleTask({ options, input: { command: 'other' } })),
        'task.key_conflict',
      );
      const other = await queue.add(sampleTask({ options, user: 'eve' }));
      assert.notEqual(other.id, first.id);
      await untilEnded(queue, other.id);
      assert.equal(runs, 2);
    },
  },
  {
    name: 'lists are by owner, newest first',
    run: async ({ queue, again }) => {
      queue.start(async () => done());
      const one = await queue.add(sampleTask({ session: 's-one' }));
      await sleep(5);
      const two = await queue.add(sampleTask({ session: 's-two' }));
      await sleep(5);
      const eve = await queue.add(sampleTask({ user: 'eve' }));
      for (const { id } of [one, two, eve]) await untilEnded(queue, id);
      const ids = async (filter: Parameters<TaskQueue['list']>[0]) =>
        (await again().list(filter)).map(({ id }) => id);
      assert.deepEqual(await ids({ tenant: null, user: 'ada' }), [two.id, one.id]);
      assert.deepEqual(await ids({ tenant: null, user: 'ada', session: 's-one' as SessionId }), [one.id]);
      assert.deepEqual(await ids({ tenant: null, user: 'mallory' }), []);
      assert.deepEqual(await ids({ tenant: 'acme', user: 'ada' }), []);
    },
  },
  {
    name: 'an owner has no more live tasks than the limit, and others are not held up by it',
    run: async ({ queue }) => {
      const held = new HeldWork();
      queue.start(held.work);
      const added: TaskRecord[] = [];
      for (let index = 0; index < 4; index += 1) added.push(await queue.add(sampleTask()));
      await rejectsWithCode(queue.add(sampleTask()), 'task.limit');
      const eve = await queue.add(sampleTask({ user: 'eve' }));
      for (const { id } of [...added, eve]) await queue.kill(id, 'enough');
      for (const { id } of [...added, eve]) await untilEnded(queue, id);
      const next = await queue.add(sampleTask());
      await held.end(next.id);
      assert.equal((await untilEnded(queue, next.id)).state, 'completed');
    },
  },
  {
    name: 'a tenant has no more live tasks than the limit, whoever of it owns them, and others are not held up by it',
    run: async ({ queue }) => {
      const add = (user: string, tenant: string): Promise<TaskRecord> =>
        queue.add(sampleTask({ user, tenant }));
      for (const user of ['ada', 'bob', 'eve'])
        for (let turn = 0; turn < 2; turn += 1) await add(user, 'acme');
      await rejectsWithCode(add('zoe', 'acme'), 'task.limit');
      await add('zoe', 'globex');
    },
  },
  {
    name: 'a queue that closes gives what runs its grace, then kills it, and takes nothing more',
    run: async ({ queue, again }) => {
      const held = new HeldWork();
      queue.start(held.work);
      const soon = await queue.add(sampleTask());
      const stuck = await queue.add(sampleTask());
      await until(() => held.started.length === 2);
      const closed = queue.close(300);
      await held.end(soon.id);
      await closed;
      const other = again();
      assert.equal((await other.get(soon.id))?.state, 'completed');
      assert.equal((await other.get(stuck.id))?.state, 'killed');
      await rejectsWithCode(queue.add(sampleTask()), 'task.queue_unavailable');
    },
  },
];

function safeEnd(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}
