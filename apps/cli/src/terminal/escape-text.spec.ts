import { promptLines } from './collapse-blanks.js';
import { escapedLines, escapeForPipe, escapeText } from './escape-text.js';

describe('text from models, tools and files', () => {
  it.each([
    ['a colour', '\x1b[31mred', '\\u001b[31mred'],
    ['a title of the window', '\x1b]0;mine\x07', '\\u001b]0;mine\\u0007'],
    ['an eight-bit control', '\x9b2J', '\\u009b2J'],
    ['delete and backspace', 'a\x7f\b', 'a\\u007f\\u0008'],
    ['a carriage return that would overwrite', 'safe\rrm', 'safe\\u000drm'],
    ['text that runs backwards', 'a\u202egnp\u202c', 'a\\u202egnp\\u202c'],
    ['isolates', '\u2066x\u2069', '\\u2066x\\u2069'],
    ['zero width', 'rm\u200b -rf', 'rm\\u200b -rf'],
    ['a joiner between letters', 'a\u200db', 'a\\u200db'],
    ['a byte order mark', '\ufeffa', '\\ufeffa'],
    ['tag characters', 'a\u{e0041}', 'a\\u{e0041}'],
    ['fillers that look empty', '\u3164\u115f', '\\u3164\\u115f'],
    ['a variation selector on a letter', 'a\ufe0f', 'a\\ufe0f'],
    ['half a character', 'a\ud800b', 'a\\ud800b'],
    ['line separators', '\u2028\u2029', '\\u2028\\u2029'],
  ])('shows %s instead of obeying or hiding it', (_name, text, shown) => {
    expect(escapeText(text)).toBe(shown);
  });

  it.each(['👩‍💻', '❤️', '👍🏽', '🏳️‍🌈', '1️⃣', '日本語', 'naïve', 'مرحبا'])('leaves %s alone', (text) => {
    expect(escapeText(text)).toBe(text);
  });

  it('lets no character through that is obeyed or takes no room', () => {
    // Signs of the Arabic, Syriac and Kaithi scripts are format characters by name, and are drawn.
    const drawn = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;
    const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
    const leaks: string[] = [];
    for (let code = 0; code <= 0xe0fff; code += code === 0x1ffff ? 0xc0001 : 1) {
      const character = String.fromCodePoint(code);
      if (hidden.test(character) && !drawn.test(character) && hidden.test(escapeText(`a${character}b`))) {
        leaks.push(code.toString(16));
      }
    }
    expect(leaks).toEqual([]);
  });

  it('expands tabs to stops of four', () => {
    expect(escapeText('a\tb\t\tc')).toBe('a   b       c');
  });

  it('keeps lines and tabs in a pipe and nothing else', () => {
    expect(escapeForPipe('a\r\n\tb\x1b[2J\u009b\n')).toBe('a\n\tb\\u001b[2J\\u009b\n');
  });

  it('splits lines before it escapes', () => {
    expect(escapedLines('a\r\nb\n\x00')).toEqual(['a', 'b', '\\u0000']);
  });
});

describe('a command in a question', () => {
  it.each([
    ['spaces', ' '.repeat(300), '300 blanks'],
    ['tabs', '\t'.repeat(40), '40 blanks'],
    ['no-break spaces', '\u00a0'.repeat(40), '40 blanks'],
    ['hangul fillers', '\u3164'.repeat(40), '40 blanks'],
    ['a mixture', ' \t\u00a0\u2003\u3000 \u3164\u2800'.repeat(9), '72 blanks'],
  ])('counts a run of %s instead of drawing it', (_name, run, counted) => {
    expect(promptLines(`ls${run}; touch x`)).toEqual([`ls[${counted}]; touch x`]);
  });

  it('counts blank lines, whatever they are made of', () => {
    expect(promptLines(`ls\n${' \n'.repeat(20)}\n\u3164\ntouch x`)).toEqual([
      'ls',
      '[22 blank lines]',
      'touch x',
    ]);
  });

  it('keeps ordinary spacing and indentation', () => {
    expect(promptLines('if a; then\n\n        b  c\nfi')).toEqual(['if a; then', '', '        b  c', 'fi']);
  });

  it('spells out a single blank that the shell would not take for one', () => {
    expect(promptLines('rm\u00a0-rf \u3164 x')).toEqual(['rm\\u00a0-rf \\u3164 x']);
  });

  it('counts blanks at the end of a line', () => {
    expect(promptLines(`ls${' '.repeat(90)}`)).toEqual(['ls[90 blanks]']);
  });
});
