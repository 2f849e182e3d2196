import fc from 'fast-check';
import { parseStrictJson } from './strict-json.js';

describe('JSON that means one thing', () => {
  it('is what the standard parser makes of it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(0, 2, '\t'), (text, space) => {
        const value: unknown = JSON.parse(text);
        fc.pre(!text.includes('__proto__'));
        expect(parseStrictJson(JSON.stringify(value, null, space))).toEqual(value);
      }),
    );
  });

  it('may say one name in several places, and anything in its strings', () => {
    for (const value of [
      { a: { a: 1 }, b: [{ a: 1 }, { a: 2 }, ['a', 'a']], c: 'a' },
      { 'a"b': '{"a":1,"a":2}', 'a\\': '\\"', text: '__proto__', list: ['__proto__', ':'] },
      { constructor: 1, toString: 2, '': { '': 1 } },
    ])
      expect(parseStrictJson(JSON.stringify(value))).toEqual(value);
  });

  it.each([
    ['{"a":1,"a":2}', 'the key a stands twice', 1, 8],
    ['{\n "tools": {"bash": 1, "read": 2,\n  "bash" : 3}}', 'the key tools.bash stands twice', 3, 3],
    ['{"a":1,"\\u0061":2}', 'the key a stands twice', 1, 8],
    ['[{"b":1},{"a":{},"a":[]}]', 'the key a stands twice', 1, 18],
    ['{"":1,"":2}', 'the key "" stands twice', 1, 7],
    ['{"a\\nb":1,"a\\nb":2}', 'the key "a\\nb" stands twice', 1, 11],
    ['{"a":{"__proto__":{}}}', 'the key a.__proto__ is never allowed', 1, 7],
    ['{"a":[{"__pro\\u0074o__":1}]}', 'the key a.__proto__ is never allowed', 1, 8],
    ['{"a":}', 'not valid JSON (Unexpected token)', 1, 6],
    ['{\n  "a": [1, 2],\n  "b": nil\n}', 'not valid JSON (Unexpected token)', 3, 9],
    ['{"a": 1', 'not valid JSON (Expected', 1, 8],
    ['', 'not valid JSON (Unexpected end of JSON input)', 1, 1],
    ['{"a":1}\0', 'not valid JSON (Unexpected non-whitespace character)', 1, 8],
    [`${'['.repeat(201)}${']'.repeat(201)}`, 'nested too deeply', 1, 201],
  ])('is refused with its place: %j', (text, what, line, column) => {
    let fault: unknown;
    try {
      parseStrictJson(text);
    } catch (error) {
      fault = error;
    }
    expect(fault).toMatchObject({ code: 'json.invalid', what: expect.stringContaining(what), line, column });
  });

  it('never repeats what stands around a fault', () => {
    expect(() => parseStrictJson('{"key": sk-secret}')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('secret') }),
    );
  });
});
