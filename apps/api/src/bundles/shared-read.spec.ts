import { SharedRead } from './shared-read.js';

describe('a read that many share', () => {
  it('is made once for all who ask before it begins', async () => {
    let reads = 0;
    const shared = new SharedRead(async () => ++reads);
    expect(await Promise.all([shared.get(), shared.get(), shared.get()])).toEqual([1, 1, 1]);
  });

  it('is made anew for whoever asks once it has begun: what was written before the question is in the answer', async () => {
    let written = 'before';
    const begun: (() => void)[] = [];
    const shared = new SharedRead(async () => {
      const read = written;
      await new Promise<void>((resolve) => begun.push(resolve));
      return read;
    });
    const first = shared.get();
    while (begun.length < 1) await new Promise((resolve) => setImmediate(resolve));
    written = 'after';
    const second = shared.get();
    while (begun.length < 2) await new Promise((resolve) => setImmediate(resolve));
    for (const end of begun) end();
    expect(await Promise.all([first, second])).toEqual(['before', 'after']);
  });

  it('that fails fails for those who share it, and for nobody after them', async () => {
    let reads = 0;
    const shared = new SharedRead(async () => {
      reads += 1;
      if (reads === 1) throw new Error('the store is away');
      return reads;
    });
    const outcomes = await Promise.allSettled([shared.get(), shared.get()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(shared.get()).resolves.toBe(2);
  });
});
