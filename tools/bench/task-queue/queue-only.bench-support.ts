import { silentLogger } from '@wrongstack/contracts';
import { BullTaskQueue } from '@wrongstack/adapters/bullmq';
import { done, sampleTask } from '@wrongstack/adapters/testing';
import { type BenchQueue, Moments } from './waiting.bench-support.js';

export async function openQueueOnly(url: string): Promise<BenchQueue> {
  const queue = await BullTaskQueue.open({ url, log: silentLogger, limits: { mostOfOwner: 100_000 } });
  const begun = new Moments();
  const ended = new Moments();
  queue.start(async ({ id }) => {
    begun.come(id);
    return done();
  });
  queue.onChange(({ id, state }) => {
    if (state === 'completed') ended.come(id);
  });
  let last = sampleTask().job.id;
  return {
    async run() {
      const task = sampleTask();
      const { id } = task.job;
      last = id;
      const called = performance.now();
      const [start, end] = [begun.of(id), ended.of(id)];
      await queue.add(task);
      const at = await start;
      await end;
      return at - called;
    },
    async poll() {
      await queue.get(last);
    },
    close: () => queue.close(),
  };
}
