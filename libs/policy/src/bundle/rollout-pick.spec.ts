import fc from 'fast-check';
import { isInRollout } from './rollout-pick.js';

const people = Array.from({ length: 2000 }, (_, index) => ({ id: `user-${index}`, teams: ['payments'] }));
const share = (percent: number, salt: string): number =>
  people.filter((who) => isInRollout({ teams: [], percent, salt }, who)).length / people.length;

describe('who gets a staged revision', () => {
  it('is nobody at 0 and everybody at 100', () => {
    expect(share(0, 'a')).toBe(0);
    expect(share(100, 'a')).toBe(1);
  });

  it('is about the share that was asked for, and others with another salt', () => {
    expect(share(10, 'a')).toBeGreaterThan(0.07);
    expect(share(10, 'a')).toBeLessThan(0.13);
    const both = people.filter((who) =>
      ['a', 'b'].every((salt) => isInRollout({ teams: [], percent: 10, salt }, who)),
    );
    expect(both.length / people.length).toBeLessThan(0.03);
  });

  it('only ever grows with the percentage', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 0, max: 100 }),
        (id, salt, a, b) => {
          const who = { id, teams: [] };
          const low = isInRollout({ teams: [], percent: Math.min(a, b), salt }, who);
          expect(!low || isInRollout({ teams: [], percent: Math.max(a, b), salt }, who)).toBe(true);
        },
      ),
    );
  });

  it('is within the teams alone, where teams are named', () => {
    const rollout = { teams: ['payments', 'core'], percent: 100, salt: '' };
    expect(isInRollout(rollout, { id: 'a', teams: ['web', 'core'] })).toBe(true);
    expect(isInRollout(rollout, { id: 'a', teams: ['web'] })).toBe(false);
    expect(isInRollout(rollout, { id: 'a', teams: [] })).toBe(false);
  });
});
