import { timeTicks } from './time-ticks.js';

const HOUR_MS = 3_600_000;
const points = (steps: number, hours: number) =>
  Array.from({ length: steps }, (_, step) => ({
    at: new Date(Date.parse('2026-03-03T21:00:00.000Z') + step * hours * HOUR_MS).toISOString(),
    values: {},
  }));

describe('the words below a chart of time', () => {
  it('may stand for every step of a day', () => {
    const { at, word } = timeTicks(points(25, 1));
    expect(at).toHaveLength(25);
    expect(word(at[1]!)).not.toBe(word(at[0]!));
  });

  it('name each day of a week once', () => {
    const { at, word } = timeTicks(points(43, 4));
    expect(at).toHaveLength(7);
    expect(new Set(at.map(word)).size).toBe(7);
  });

  it('are none where there is nothing', () => {
    expect(timeTicks([]).at).toEqual([]);
  });
});
