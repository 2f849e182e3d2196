import { silentLogger } from '@wrongstack/contracts';
import { BullTaskQueue } from '@wrongstack/adapters/bullmq';
import { done, sampleTask } from '@wrongstack/adapters/testing';
import { say, startApart, untilAlone } from './apart.bench-support.js';
import { type BenchQueue, Moments, now } from './waiting.bench-support.js';

export async function openQueueOnly(url: string, { apart = false } = {}): Promise<BenchQueue> {
  const queue = await open(url);
  const begun = new Moments();
  const ended = new Moments();
  const worker = apart ? await startApart('serveQueueOnly', [url], { begun, ended }) : null;
  if (worker === null) {
    work(
      queue,
      (id, at) => begun.come(id, at),
      (id) => ended.come(id),
    );
  }
  let last = sampleTask().job.id;
  return {
    async run() {
      const task = sampleTask();
      const { id } = task.job;
      last = id;
      const called = now();
      const [start, end] = [begun.of(id), ended.of(id)];
      await queue.add(task);
      const at = await start;
      await end;
      return at - called;
    },
    async poll() {
      await queue.get(last);
    },
    async close() {
      await worker?.stop();
      await queue.close();
    },
  };
}

/** For a process of its own. */
export async function serveQueueOnly(url: string): Promise<void> {
  const queue = await open(url);
  work(
    queue,
    (id, at) => say('began', id, at),
    (id) => say('ended', id),
  );
  say('ready');
  await untilAlone();
  await queue.close();
}

function open(url: string): Promise<BullTaskQueue> {
  return BullTaskQueue.open({ url, log: silentLogger, limits: { mostOfOwner: 100_000 } });
}

function work(
  queue: BullTaskQueue,
  began: (id: string, at: number) => void,
  ended: (id: string) => void,
): void {
  queue.start(async ({ id }) => {
    began(id, now());
    return done();
  });
  queue.onChange(({ id, state }) => {
    if (state === 'completed') ended(id);
  });
}
