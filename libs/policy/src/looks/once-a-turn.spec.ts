import { onceATurn } from './once-a-turn.js';

describe('a look once a turn', () => {
  let looks: string[];
  let look: (key: string) => Promise<string>;
  beforeEach(() => {
    looks = [];
    look = onceATurn(async (key: string) => `${key} ${looks.push(key)}`);
  });

  it('serves all who asked the same in one turn, and begins after the last of them', async () => {
    const first = look('a');
    await Promise.resolve();
    expect(looks).toEqual([]);
    expect(await Promise.all([first, look('a'), look('a')])).toEqual(['a 1', 'a 1', 'a 1']);
  });

  it('is anew for whoever asks later, also while the first is still looking', async () => {
    let finish = (): void => undefined;
    let looked = 0;
    const slow = onceATurn(() => {
      looked += 1;
      return new Promise<void>((resolve) => (finish = resolve));
    });
    const first = slow(null);
    await new Promise((resolve) => setImmediate(resolve));
    expect(looked).toBe(1);
    const second = slow(null);
    finish();
    await first;
    await new Promise((resolve) => setImmediate(resolve));
    expect(looked).toBe(2);
    finish();
    await second;
  });

  it('keeps questions apart', async () => {
    expect(await Promise.all([look('a'), look('b')])).toEqual(['a 1', 'b 2']);
  });

  it('fails for all who waited, and not for the next', async () => {
    let broken = true;
    const sometimes = onceATurn(async () => {
      if (broken) throw new Error('the disk is away');
      return 'there';
    });
    const both = [sometimes(null), sometimes(null)];
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    broken = false;
    expect(await sometimes(null)).toBe('there');
  });
});
