import { visibleParts, visibleText } from './visible-text.js';

describe('text that others wrote', () => {
  it('stays one part where everything in it can be seen', () => {
    expect(visibleParts('rm -rf build\n\tls')).toEqual([{ text: 'rm -rf build\n\tls', hidden: false }]);
    expect(visibleParts('')).toEqual([]);
  });

  it('shows what a terminal would obey, what reorders, and what takes no room', () => {
    expect(visibleParts('a\u001b[31mb')).toEqual([
      { text: 'a', hidden: false },
      { text: '\\u001b', hidden: true },
      { text: '[31mb', hidden: false },
    ]);
    expect(visibleText('safe\u202egpj.exe \u200b\u0000\r\u2028')).toBe(
      'safe\\u202egpj.exe \\u200b\\u0000\\u000d\\u2028',
    );
  });

  it('leaves letters of every script and joined emoji as they are', () => {
    for (const text of ['日本語', 'שלום', 'a\r\nb', '👩‍💻 ❤️'])
      expect(visibleText(text)).toBe(text.replace('\r\n', '\n'));
  });
});
