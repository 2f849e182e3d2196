import { diffRows } from './diff-rows.js';

const lines = (count: number): string =>
  Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('');

describe('rows of a difference', () => {
  it('have the numbers of both sides, and all lines', () => {
    expect(diffRows('a\nb\nc\n', 'a\nB\nc\nd\n', 10, 20)).toEqual([
      { is: 'same', before: 10, after: 20, text: 'a' },
      { is: 'removed', before: 11, after: null, text: 'b' },
      { is: 'added', before: null, after: 21, text: 'B' },
      { is: 'same', before: 12, after: 22, text: 'c' },
      { is: 'added', before: null, after: 23, text: 'd' },
    ]);
  });

  it('of a new file are all added', () => {
    expect(diffRows(null, 'a\nb')).toEqual([
      { is: 'added', before: null, after: 1, text: 'a' },
      { is: 'added', before: null, after: 2, text: 'b' },
    ]);
  });

  it('fold what stays the same away from every change, and lose none of it', () => {
    const rows = diffRows(lines(40), lines(40).replace('line 20\n', 'line twenty\n'));
    const [first, ...rest] = rows;
    expect(first).toMatchObject({ is: 'fold' });
    expect(rest.at(-1)).toMatchObject({ is: 'fold' });
    const all = rows.flatMap((row) => (row.is === 'fold' ? row.rows : [row]));
    expect(all.filter(({ is }) => is !== 'added')).toHaveLength(40);
    expect(rows.filter(({ is }) => is === 'same')).toHaveLength(8);
  });

  it('are one fold where nothing changed', () => {
    expect(diffRows(lines(9), lines(9))).toEqual([{ is: 'fold', rows: expect.any(Array) }]);
    expect(diffRows('', '')).toEqual([]);
  });
});
