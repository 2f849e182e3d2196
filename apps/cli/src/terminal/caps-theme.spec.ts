import { detectCaps } from './caps.js';
import { line, span } from './lines.js';
import { createTheme } from './theme.js';
import { CAPS } from './testing/fixtures.js';

const UTF8 = { LANG: 'en_GB.UTF-8', TERM: 'xterm-256color' };

describe('what the terminal can do', () => {
  it('is a colour terminal of its own size by default', () => {
    expect(detectCaps({ environment: UTF8, tty: true, columns: 120, rows: 40 })).toEqual({
      tty: true,
      color: true,
      unicode: true,
      plain: false,
      columns: 120,
      rows: 40,
    });
  });

  it.each([
    ['no terminal', { environment: UTF8, tty: false }, { plain: true, color: false }],
    ['a dumb one', { environment: { ...UTF8, TERM: 'dumb' }, tty: true }, { plain: true, color: false }],
    ['--plain', { environment: UTF8, tty: true, flags: { plain: true } }, { plain: true, color: false }],
    ['NO_COLOR', { environment: { ...UTF8, NO_COLOR: '1' }, tty: true }, { plain: false, color: false }],
    ['an empty NO_COLOR', { environment: { ...UTF8, NO_COLOR: '' }, tty: true }, { color: true }],
    [
      '--color in a pipe',
      { environment: UTF8, tty: false, flags: { color: true } },
      { plain: true, color: true },
    ],
    [
      '--color against NO_COLOR',
      { environment: { ...UTF8, NO_COLOR: '1' }, tty: true, flags: { color: true } },
      { color: true },
    ],
    ['another language', { environment: { LANG: 'C' }, tty: true }, { unicode: false }],
    [
      'LC_ALL before LANG',
      { environment: { LANG: 'C.UTF-8', LC_ALL: 'POSIX' }, tty: true },
      { unicode: false },
    ],
    [
      'a pty without a size',
      { environment: UTF8, tty: true, columns: 0, rows: 0 },
      { columns: 80, rows: 24 },
    ],
  ])('%s', (_name, question, expected) => {
    expect(detectCaps(question)).toMatchObject(expected);
  });
});

describe('the theme', () => {
  const row = line(span('denied', 'denied'), ' ', span('yes', 'ok'), ' ', span('LOUD', 'loud'));

  it('uses the sixteen colours of the terminal', () => {
    expect(createTheme(CAPS).paint(row)).toBe(
      '\x1b[1;31mdenied\x1b[0m \x1b[32myes\x1b[0m \x1b[7mLOUD\x1b[0m',
    );
  });

  it('keeps bold and reverse without colour', () => {
    expect(createTheme({ ...CAPS, color: false }).paint(row)).toBe(
      '\x1b[1mdenied\x1b[0m yes \x1b[7mLOUD\x1b[0m',
    );
  });

  it('is text alone in plain mode, and colour without bold where it was asked for', () => {
    expect(createTheme({ ...CAPS, color: false, plain: true }).paint(row)).toBe('denied yes LOUD');
    expect(createTheme({ ...CAPS, plain: true }).paint(row)).toBe(
      '\x1b[31mdenied\x1b[0m \x1b[32myes\x1b[0m LOUD',
    );
  });

  it('has ASCII marks outside UTF-8', () => {
    const { marks } = createTheme({ ...CAPS, unicode: false });
    expect(Object.values(marks).flat().join('')).toMatch(/^[\x20-\x7e]*$/);
  });
});
