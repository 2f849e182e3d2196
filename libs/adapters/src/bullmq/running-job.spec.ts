import { setTimeout as sleep } from 'node:timers/promises';
import type { TaskSink } from '@wrongstack/contracts';
import { done, sampleTask } from '../testing/sample-task.js';
import { RunningJob } from './running-job.js';
import type { OutputPiece } from './task-store.js';

/** What Redis does with output, with answers that the test gives: text that begins elsewhere than at the end is not taken. */
class SlowStore {
  text = '';
  readonly asked: ((fails: boolean) => void)[] = [];

  write(_id: unknown, { text, from }: OutputPiece): Promise<void> {
    return new Promise((resolve, reject) => {
      this.asked.push((fails) => {
        if (fails) return reject(new Error('MISCONF'));
        this.take({ text, from });
        resolve();
      });
    });
  }

  take({ text, from }: OutputPiece): void {
    if (Buffer.byteLength(this.text) === from) this.text += text;
  }

  async answer(fails = false): Promise<void> {
    while (this.asked.length === 0) await sleep(5);
    this.asked.shift()?.(fails);
  }
}

describe('output of a task on its way to Redis', () => {
  let store: SlowStore;
  let sink: TaskSink;
  let end: () => void;
  let ended: ReturnType<RunningJob['run']>;
  beforeEach(async () => {
    store = new SlowStore();
    const job = new RunningJob(sampleTask().job, 0, store);
    const finish = new Promise<void>((resolve) => (end = resolve));
    await new Promise<void>((begun) => {
      ended = job.run(async (_job, given) => {
        sink = given;
        begun();
        await finish;
        return done();
      });
    });
  });

  /** What a reader finds in the end. */
  const whole = async (): Promise<string> => {
    end();
    store.take((await ended).rest);
    return store.text;
  };

  it('goes there without more to come, also what came while something was under way', async () => {
    sink.write('one\n');
    while (store.asked.length === 0) await sleep(5);
    sink.write('two\n');
    sink.write('three\n');
    await store.answer();
    await store.answer();
    expect(store.text).toBe('one\ntwo\nthree\n');
    expect(await whole()).toBe('one\ntwo\nthree\n');
  });

  it('is sent in pieces that do not wait for each other, and arrives whole', async () => {
    const lines = Array.from({ length: 60_000 }, (_, index) => `line ${index} ü\n`);
    for (const line of lines) sink.write(line);
    expect(store.asked.length).toBe(2);
    const answering = (async () => {
      while (store.asked.length > 0 || Buffer.byteLength(store.text) < 500_000) await store.answer();
    })();
    await answering;
    expect(await whole()).toBe(lines.join(''));
  });

  it('is written again where a write failed, with all that was sent behind it', async () => {
    const pieces = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(60_000));
    for (const piece of pieces) sink.write(piece);
    await store.answer();
    await store.answer(true);
    while (Buffer.byteLength(store.text) < 240_000) await store.answer();
    expect(await whole()).toBe(pieces.join(''));
  });

  it('is there in the end where the last write failed', async () => {
    sink.write('all there is\n');
    await store.answer(true);
    expect(await whole()).toBe('all there is\n');
  });

  it('asks whoever prints to wait while it gets there, and not while it does not', async () => {
    sink.write('a');
    expect(sink.room?.()).toBeNull();
    const more = 'x'.repeat(100_000);
    for (let index = 0; index < 8; index += 1) sink.write(more);
    const waited = sink.room?.();
    expect(waited).toBeInstanceOf(Promise);
    for (let index = 0; index < 4; index += 1) await store.answer();
    await waited;
    // Nothing is answered from here on.
    for (let index = 0; index < 8; index += 1) sink.write(more);
    await sink.room?.();
    expect(sink.room?.()).toBeNull();
    await store.answer();
    while (sink.room?.() === null) await sleep(5);
    end();
    while (store.asked.length > 0) await store.answer();
  });

  it('waits within bounds, and says how much of its beginning is gone', async () => {
    for (let index = 0; index < 200; index += 1) sink.write(`${index} `.repeat(10_000));
    end();
    while (store.asked.length > 0) await store.answer();
    const text = await whole();
    expect(text.length).toBeLessThan(5 * 1024 * 1024);
    expect(text).toMatch(/^0 0 /);
    expect(text).toMatch(/\n\[\d+ characters were lost here\]\n/);
    expect(text.endsWith('199 199 ')).toBe(true);
  });
});
