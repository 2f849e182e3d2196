import { silentLogger } from '@wrongstack/contracts';
import { BullTaskQueue } from '@wrongstack/adapters/bullmq';
import { done, sampleTask } from '@wrongstack/adapters/testing';
import type { BenchQueue } from './governed.bench-support.js';

export async function openQueueOnly(url: string): Promise<BenchQueue> {
  const queue = await BullTaskQueue.open({ url, log: silentLogger, limits: { mostOfOwner: 100_000 } });
  const begun = new Map<string, (at: number) => void>();
  const ended = new Map<string, () => void>();
  queue.start(async ({ id }) => {
    begun.get(id)?.(performance.now());
    return done();
  });
  queue.onChange(({ id, state }) => {
    if (state === 'completed') ended.get(id)?.();
  });
  let last = sampleTask().job.id;
  return {
    async run() {
      const task = sampleTask();
      const { id } = task.job;
      last = id;
      const called = performance.now();
      const started = new Promise<number>((resolve) => begun.set(id, (at) => resolve(at - called)));
      const end = new Promise<void>((resolve) => ended.set(id, resolve));
      await queue.add(task);
      const latency = await started;
      begun.delete(id);
      await end;
      ended.delete(id);
      return latency;
    },
    async poll() {
      await queue.get(last);
    },
    close: () => queue.close(),
  };
}
