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
  });
});
