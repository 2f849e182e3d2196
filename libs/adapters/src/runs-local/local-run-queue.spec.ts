import { runQueueCases } from '../testing/run-queue.conformance.js';
import { LocalRunQueue } from './local-run-queue.js';

describe('LocalRunQueue, as every queue of runs', () => {
  it.each(runQueueCases.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
    const queue = new LocalRunQueue();
    await one.run({ queue });
    await queue.close();
    expect(queue.driver).toBe('local');
  });
});
