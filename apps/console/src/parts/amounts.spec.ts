import { count, dollars, percent, shortCount, shortDollars } from './amounts.js';

describe('amounts', () => {
  it('are whole where they fit, and short where they do not', () => {
    expect([count(1_234_567), shortCount(12_345), shortCount(1_234_567)]).toEqual([
      '1,234,567',
      '12,345',
      '1.2M',
    ]);
  });

  it('of money never look like nothing', () => {
    expect([0, 0.0042, 0.5, 12.3].map(dollars)).toEqual(['$0.00', '$0.0042', '$0.50', '$12.30']);
    expect([12.3, 1_234.5, 12_345].map(shortDollars)).toEqual(['$12.30', '$1,235', '$12.3K']);
  });

  it('of a whole say neither none nor all unless it is so', () => {
    expect([percent(0, 9), percent(1, 1_000), percent(9, 100), percent(999, 1_000), percent(9, 9)]).toEqual([
      '0%',
      '<1%',
      '9%',
      '>99%',
      '100%',
    ]);
    expect(percent(0, 0)).toBe('');
  });
});
