import fc from 'fast-check';
import { canonicalJson, digestOf } from './canonical-json.js';

describe('canonicalJson', () => {
  it('writes equal values alike, whatever the order of their keys', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true })).toBe(
      '{"a":true,"b":[1,{"c":"x","d":null}]}',
    );
  });

  it('is valid JSON that reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('tells apart what is not equal', () => {
    expect(digestOf({ a: '1' })).not.toBe(digestOf({ a: 1 }));
    expect(digestOf([])).not.toBe(digestOf({}));
  });

  it.each([
    ['a bigint', 1n],
    ['a function', () => 1],
    ['NaN', Number.NaN],
  ])('refuses %s rather than write something else', (_what, value) => {
    expect(() => canonicalJson({ value })).toThrow(/cannot write/);
  });

  it('refuses a cycle, and not a value that merely occurs twice', () => {
    const twice = { x: 1 };
    expect(canonicalJson([twice, twice])).toBe('[{"x":1},{"x":1}]');
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(() => canonicalJson(cycle)).toThrow('cycle');
    const wide: Record<string, unknown> = {};
    wide['a'] = { b: [{ c: wide }] };
    expect(() => canonicalJson(wide)).toThrow('cycle');
  });

  it('writes what is nested deeply, and every character, as JSON does', () => {
    let deep: unknown = { end: true };
    for (let level = 0; level < 500; level += 1) deep = [deep];
    expect(canonicalJson(deep)).toBe(JSON.stringify(deep));
    const text = Array.from({ length: 0x300 }, (_, code) => String.fromCharCode(code)).join('');
    for (const odd of [text, '\ud800', 'a\udfffb', '👩‍💻', '\u2028\ufeff', '']) {
      expect(canonicalJson({ [odd]: odd })).toBe(JSON.stringify({ [odd]: odd }));
    }
    expect(canonicalJson([-0, 1e21, 1e-7, undefined])).toBe('[0,1e+21,1e-7,null]');
  });

  it('sorts by code units, however many keys there are', () => {
    const keys = Array.from({ length: 100 }, (_, index) => `${(index * 37) % 100}ä\ud83d${index}`);
    for (const count of [3, 32, 33, 100]) {
      const some = Object.fromEntries(keys.slice(0, count).map((key) => [key, 1]));
      expect(Object.keys(JSON.parse(canonicalJson(some)) as object).sort()).toEqual(Object.keys(some).sort());
      const order = [...canonicalJson(some).matchAll(/"([^"]*)":1/g)].map(([, key]) =>
        JSON.parse(`"${key}"`),
      );
      expect(order).toEqual([...order].sort());
    }
  });
});
