import { csvCell } from './export-lines.js';

describe('a cell of an exported table', () => {
  it.each(['=1+1', '+1', '-1', '@a', '\t=1', '\r=1', ' =1', '\n@x', '＝1', '%0A', '|x'])(
    '%j is text',
    (text) => {
      expect(csvCell(text).replace(/^"/, '')).toMatch(/^'/);
    },
  );

  it('is what it was where nothing would run it', () => {
    const cells = ['plain', 'a=b', 'x, "y"', '', 7, true, null].map(csvCell);
    expect(cells).toEqual(['plain', 'a=b', '"x, ""y"""', '', '7', 'true', '']);
  });
});
