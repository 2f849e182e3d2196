import { denialSpike } from './denial-spike.js';

const settings = { percent: 20, atLeast: 20 };
const tally = (denied: number, decided: number) => ({ denied, decided });

describe('a spike of denials', () => {
  it('says from what to what denials rose', () => {
    expect(denialSpike(tally(40, 100), [tally(1, 100)], settings)).toBe(
      'denials rose from 1% to 40% (40 of 100 decisions)',
    );
  });

  it.each([
    ['rose by no more than the percent', tally(21, 100), [tally(1, 100)]],
    ['are fewer than it takes', tally(19, 30), [tally(0, 100)]],
    ['were as frequent for the same people before', tally(40, 100), [tally(30, 100), tally(0, 100)]],
    ['are as frequent for the others now', tally(40, 100), [tally(0, 100), tally(30, 100)]],
    ['are none', tally(0, 0), []],
  ])('is none where denials %s', (_name, staged, before) => {
    expect(denialSpike(staged, before, settings)).toBeNull();
  });

  it('is measured against nothing where there was too little before', () => {
    expect(denialSpike(tally(20, 20), [tally(19, 19)], settings)).toMatch(/^denials rose from 0% to 100%/);
  });
});
