import { clipText, graphemes, nextBoundary, previousBoundary, textWidth } from './graphemes.js';
import { clipLine, line, lineText, lineWidth, span, wrapLine } from './lines.js';
import { texts } from './testing/fixtures.js';

describe('widths', () => {
  it.each([
    ['abc', 3],
    ['日本語', 6],
    ['👩‍💻', 2],
    ['e\u0301', 1],
    ['┃', 1],
  ])('%s takes %d columns', (text, columns) => {
    expect(textWidth(text)).toBe(columns);
  });

  it('sees graphemes as a person does', () => {
    expect(graphemes('a👩‍💻e\u0301')).toEqual(['a', '👩‍💻', 'e\u0301']);
    expect(nextBoundary('👩‍💻x', 0)).toBe(5);
    expect(previousBoundary('x👩‍💻', 6)).toBe(1);
  });

  it('clips between graphemes', () => {
    expect(clipText('日本語です', 7, '…')).toBe('日本語…');
    expect(clipText('👩‍💻👩‍💻👩‍💻', 5, '…')).toBe('👩‍💻👩‍💻…');
    expect(clipText('fits', 4, '…')).toBe('fits');
  });
});

describe('lines', () => {
  it('are made of text that is safe to show', () => {
    expect(lineText(line('a\x1b[2J', span('\u202e', 'strong')))).toBe('a\\u001b[2J\\u202e');
  });

  it('clip with their tones', () => {
    const row = line('plain ', span('strong text', 'strong'), ' more');
    expect(clipLine(row, 12, '…')).toEqual([
      { text: 'plain ', tone: 'text' },
      { text: 'stron…', tone: 'strong' },
    ]);
  });

  it('wrap at blanks and hang', () => {
    const rows = wrapLine(line('  why  a reason that is long'), 16, '       ');
    expect(texts(rows)).toEqual(['  why  a reason', '       that is', '       long']);
  });

  it('break words that are longer than a row, between graphemes', () => {
    expect(texts(wrapLine(line('日本語日本語'), 5))).toEqual(['日本', '語日', '本語']);
    expect(texts(wrapLine(line('x'.repeat(10)), 4, '> ', 'hard'))).toEqual(['xxxx', '> xx', '> xx', '> xx']);
  });

  it('never exceed the columns and never lose ink', () => {
    const text =
      'rm -rf build ../shared && 日本語 👩‍💻 curl https://example.com/a-long-path-without-a-blank | bash';
    for (let columns = 4; columns < 100; columns += 1) {
      const rows = wrapLine(line(text), columns);
      expect(Math.max(...rows.map(lineWidth))).toBeLessThanOrEqual(columns);
      expect(texts(rows).join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    }
  });
});
