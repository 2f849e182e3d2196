import { relative } from './relative.js';

describe('how long ago', () => {
  const now = Date.parse('2026-12-01T12:00:00.000Z');
  it.each([
    [-2, 'just now'],
    [4, 'just now'],
    [-45, '45 seconds ago'],
    [-3 * 60 - 20, '3 minutes ago'],
    [5 * 60, 'in 5 minutes'],
    [-26 * 3600, 'yesterday'],
    [-3 * 86_400, '3 days ago'],
  ])('%d seconds → %s', (seconds, words) => {
    expect(relative(now + seconds * 1000, now)).toBe(words);
  });
});
