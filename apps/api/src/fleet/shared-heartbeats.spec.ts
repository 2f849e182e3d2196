import type { Heartbeat } from '@wrongstack/contracts/control';
import { SharedHeartbeats } from './shared-heartbeats.js';

const of = (agent: string): Heartbeat => ({
  ...{ agent, at: '2026-01-01T00:00:00.000Z', team: null, version: '1', platform: 'linux-x64' },
  ...{ bundle: null, policyState: 'fresh', policyVersions: [], spooled: 0, refused: null, clockSkewMs: 0 },
});

describe('heartbeats that come at once', () => {
  it('share a commit, and those that come meanwhile the next', async () => {
    const commits: string[][] = [];
    const ends: (() => void)[] = [];
    const shared = new SharedHeartbeats({
      record: (all) => {
        commits.push(all.map(({ agent }) => agent));
        return new Promise((resolve) => ends.push(resolve));
      },
    });
    const begun = async (count: number): Promise<void> => {
      while (ends.length < count) await new Promise((resolve) => setImmediate(resolve));
      ends[count - 1]?.();
    };
    const first = [shared.record(of('a')), shared.record(of('b'))];
    while (ends.length < 1) await new Promise((resolve) => setImmediate(resolve));
    const second = [shared.record(of('c')), shared.record(of('d'))];
    await begun(1);
    await Promise.all(first);
    await begun(2);
    await Promise.all(second);
    expect(commits).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('fail with their own commit and not with one before', async () => {
    let commits = 0;
    const shared = new SharedHeartbeats({
      record: async () => {
        commits += 1;
        if (commits === 1) throw new Error('the store is away');
      },
    });
    await expect(shared.record(of('a'))).rejects.toThrow('the store is away');
    await expect(shared.record(of('b'))).resolves.toBeUndefined();
  });
});
