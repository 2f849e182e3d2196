import { countLines, endingAt, lineOf, unify } from './line-endings.js';
import { decode, detectFormat, encode, hasLoneSurrogate } from './text-encoding.js';

describe('line endings', () => {
  it('become one LF each, and every offset finds its way back', () => {
    const source = 'a\r\nb\rc\n\r\n\r\nd';
    const { text, original } = unify(source);
    expect(text).toBe('a\nb\nc\n\n\nd');
    const back = Array.from(text, (_, at) => source.slice(original(at), original(at + 1)));
    expect(back).toEqual(['a', '\r\n', 'b', '\r', 'c', '\n', '\r\n', '\r\n', 'd']);
    expect(original(text.length)).toBe(source.length);
  });

  it('are taken from the line itself, else from the one above', () => {
    expect(endingAt('a\r\nb\nc', 0)).toBe('\r\n');
    expect(endingAt('a\r\nb\nc', 3)).toBe('\n');
    expect(endingAt('a\r\nb', 3)).toBe('\r\n');
    expect(endingAt('a\rb', 2)).toBe('\r');
    expect(endingAt('ab', 1)).toBe('\n');
  });

  it('are counted as people count lines', () => {
    expect(['', 'a', 'a\n', 'a\nb', 'a\r\nb\r\n', '\n\n'].map(countLines)).toEqual([0, 1, 1, 2, 2, 2]);
    expect([0, 2, 3, 5].map((offset) => lineOf('a\r\nb\rc', offset))).toEqual([1, 1, 2, 3]);
  });
});

describe('encodings', () => {
  it.each([
    ['plain', Buffer.from('abc')],
    ['UTF-8', Buffer.from('zwölf 🙂')],
    ['UTF-8 with mark', Buffer.from('\uFEFFzwölf')],
    ['UTF-16 LE', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('zwölf 🙂', 'utf16le')])],
    ['UTF-16 BE', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from('zwölf', 'utf16le').swap16()])],
    ['every byte but zero', Buffer.from(Array.from({ length: 255 }, (_, index) => index + 1))],
    ['nothing', Buffer.alloc(0)],
  ])('come back byte for byte: %s', (_name, bytes) => {
    const format = detectFormat(bytes, true);
    expect(format).not.toBeNull();
    if (format !== null) expect(Buffer.from(encode(decode(bytes, format), format) ?? [])).toEqual(bytes);
  });

  it('take a sample that ends inside a character for text', () => {
    const bytes = Buffer.from('ab🙂').subarray(0, 4);
    expect(detectFormat(bytes, false)?.encoding).toBe('utf8');
    expect(detectFormat(bytes, true)?.encoding).toBe('latin1');
  });

  it('take zero bytes for binary', () => {
    expect(detectFormat(Buffer.from([1, 0, 2, 3, 4, 0, 0, 9]), true)).toBeNull();
  });

  it('know half of a surrogate pair', () => {
    expect([hasLoneSurrogate('🙂'), hasLoneSurrogate('\ud83d'), hasLoneSurrogate('a\ude42b')]).toEqual([
      false,
      true,
      true,
    ]);
  });
});
